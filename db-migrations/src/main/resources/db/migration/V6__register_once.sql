-- A JobRegister request that came with an Idempotency-Key, so that its repetition registers nothing. Kept for a day.
CREATE TABLE register_key (
    owner_id     INT UNSIGNED NOT NULL,
    key_hash     BINARY(32)   NOT NULL, -- SHA-256 of the key
    request_hash BINARY(32)   NOT NULL, -- SHA-256 of what was asked: another request under the same key is refused
    account_id   INT UNSIGNED NOT NULL, -- whose the jobs' sandboxes are, whatever the caller is mapped to later
    created_at   DATETIME(6)  NOT NULL,
    PRIMARY KEY (owner_id, key_hash),
    KEY register_key_age (created_at),                 -- the sweep's scan
    KEY register_key_owner_age (owner_id, created_at), -- the oldest keys of an owner who has too many
    KEY register_key_account (account_id),
    CONSTRAINT register_key_owner FOREIGN KEY (owner_id) REFERENCES owner (id),
    CONSTRAINT register_key_account FOREIGN KEY (account_id) REFERENCES account (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- What was answered to each description of such a request. job_id refers to no row: the answer outlives a purged job.
CREATE TABLE register_result (
    owner_id          INT UNSIGNED NOT NULL,
    key_hash          BINARY(32)   NOT NULL,
    position          INT UNSIGNED NOT NULL,
    job_id            INT UNSIGNED NULL, -- NULL where the description was refused
    warning           TEXT         NULL,
    fault_kind        VARCHAR(32)  NULL,
    fault_description TEXT         NULL,
    fault_cause       MEDIUMTEXT   NULL,
    PRIMARY KEY (owner_id, key_hash, position),
    CONSTRAINT register_result_key FOREIGN KEY (owner_id, key_hash) REFERENCES register_key (owner_id, key_hash)
        ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
