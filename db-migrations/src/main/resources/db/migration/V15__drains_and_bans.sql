-- What administrators closed and whom they banned. Each change adds one to the revision, in the same transaction: nodes read the
-- lists again when it has changed.
CREATE TABLE restriction_revision (
    id       TINYINT UNSIGNED NOT NULL PRIMARY KEY,
    revision BIGINT UNSIGNED  NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

INSERT INTO restriction_revision (id, revision)
SELECT 1, 1 FROM db_info WHERE NOT EXISTS (SELECT 1 FROM restriction_revision);

-- Queues (kind 1) and VOs (kind 2) that get no new jobs. The whole CE is admission_state.
CREATE TABLE drain (
    id     INT UNSIGNED     NOT NULL AUTO_INCREMENT PRIMARY KEY,
    kind   TINYINT UNSIGNED NOT NULL,
    name   VARCHAR(255)     NOT NULL,
    reason VARCHAR(255)     NULL,
    set_by VARCHAR(2048)    NOT NULL,
    set_at DATETIME(6)      NOT NULL,
    UNIQUE KEY drain_part (kind, name)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Banned DNs (kind 1, RFC 2253), FQANs (2) and VOs (3). Hashed, because DNs are longer than an index likes; a DN by its form for
-- comparison in lower case.
CREATE TABLE ban (
    id        INT UNSIGNED     NOT NULL AUTO_INCREMENT PRIMARY KEY,
    kind      TINYINT UNSIGNED NOT NULL,
    name_hash BINARY(32)       NOT NULL,
    name      VARCHAR(2048)    NOT NULL,
    reason    VARCHAR(255)     NULL,
    set_by    VARCHAR(2048)    NOT NULL,
    set_at    DATETIME(6)      NOT NULL,
    UNIQUE KEY ban_name (kind, name_hash)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
