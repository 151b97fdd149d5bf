-- How far each configured receiver has got the events of jobs. One node at a time sends to a receiver: the one that holds the claim.
CREATE TABLE webhook (
    name             VARCHAR(64)     NOT NULL PRIMARY KEY,
    last_event       BIGINT UNSIGNED NOT NULL,
    claimed_by       VARCHAR(64)     NULL,
    claim_expires_at DATETIME(6)     NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
