-- The whole schema of Gelato CE. MariaDB 10.6+ and MySQL 8.0+, InnoDB, utf8mb4, UTC with microseconds.
-- Current state is a column, never derived from history. Texts that only the wire shows stand in job_text.
-- Every foreign key and every WHERE/ORDER BY of a hot statement has its index; the reason is beside it.

-- One row: when this database was made. Clients see created_at as dbId and drop their caches when it changes.
-- number_offset scrambles job numbers, so that a new database does not hand out the ids of the old one.
CREATE TABLE db_info (
    id            TINYINT UNSIGNED NOT NULL PRIMARY KEY,
    created_at    DATETIME(6)      NOT NULL,
    number_offset INT UNSIGNED     NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

INSERT INTO db_info (id, created_at, number_offset)
VALUES (1, UTC_TIMESTAMP(6), FLOOR(RAND() * 1000000000));

-- Reference rows: the codes of the wire (states) and of Gelato (commands), for people who read the database.
CREATE TABLE job_state (
    code     TINYINT UNSIGNED NOT NULL PRIMARY KEY,
    name     VARCHAR(16)      NOT NULL UNIQUE,
    is_final BOOLEAN          NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

INSERT INTO job_state (code, name, is_final)
VALUES (0, 'REGISTERED', FALSE), (1, 'PENDING', FALSE), (2, 'IDLE', FALSE), (3, 'RUNNING', FALSE),
       (4, 'REALLY-RUNNING', FALSE), (5, 'CANCELLED', TRUE), (6, 'HELD', FALSE), (7, 'DONE-OK', TRUE),
       (8, 'DONE-FAILED', TRUE), (10, 'ABORTED', TRUE);

CREATE TABLE command_kind (
    code TINYINT UNSIGNED NOT NULL PRIMARY KEY,
    name VARCHAR(32)      NOT NULL UNIQUE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

INSERT INTO command_kind (code, name)
VALUES (0, 'JOB_REGISTER'), (1, 'JOB_START'), (2, 'JOB_CANCEL'), (3, 'JOB_PURGE'), (4, 'JOB_SUSPEND'),
       (5, 'JOB_RESUME'), (6, 'JOB_SET_LEASEID'), (7, 'PROXY_RENEW');

CREATE TABLE command_state (
    code TINYINT UNSIGNED NOT NULL PRIMARY KEY,
    name VARCHAR(16)      NOT NULL UNIQUE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

INSERT INTO command_state (code, name)
VALUES (0, 'CREATED'), (1, 'QUEUED'), (2, 'PROCESSING'), (3, 'SUCCESSFULL'), (4, 'ERROR'), (5, 'ABORTED');

-- A person or robot: the end-entity subject, RFC 2253. Hashed, because DNs are longer than an index likes.
CREATE TABLE subject (
    id      INT UNSIGNED  NOT NULL AUTO_INCREMENT PRIMARY KEY,
    dn_hash BINARY(32)    NOT NULL,
    dn      VARCHAR(2048) NOT NULL,
    UNIQUE KEY subject_dn (dn_hash)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Owner of jobs and leases: a subject under one primary FQAN ('' for none).
CREATE TABLE owner (
    id         INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    subject_id INT UNSIGNED NOT NULL,
    fqan       VARCHAR(255) NOT NULL,
    vo         VARCHAR(255) NULL,
    UNIQUE KEY owner_key (subject_id, fqan),
    CONSTRAINT owner_subject FOREIGN KEY (subject_id) REFERENCES subject (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Local account a subject is mapped to.
CREATE TABLE account (
    id   INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    name VARCHAR(64)  NOT NULL,
    UNIQUE KEY account_name (name)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Queue of a batch system, as named in a CE id.
CREATE TABLE queue (
    id   INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    lrms VARCHAR(32)  NOT NULL,
    name VARCHAR(64)  NOT NULL,
    UNIQUE KEY queue_name (lrms, name)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Workload manager (ICE) that registered a job.
CREATE TABLE ice (
    id   INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    name VARCHAR(255) NOT NULL,
    UNIQUE KEY ice_name (name)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- A delegated proxy. Keyed as contract/delegation-wire.md section 3: client's id, subject, account.
CREATE TABLE delegation (
    id            INT UNSIGNED    NOT NULL AUTO_INCREMENT PRIMARY KEY,
    subject_id    INT UNSIGNED    NOT NULL,
    account_id    INT UNSIGNED    NOT NULL,
    client_id     VARCHAR(255)    NOT NULL,
    vo            VARCHAR(255)    NULL,
    fqans         TEXT            NOT NULL, -- one per line
    chain         MEDIUMTEXT      NOT NULL, -- PEM, leaf first
    private_key   VARBINARY(4096) NOT NULL, -- encrypted with the key of the configuration
    info          TEXT            NOT NULL, -- delegationProxyInfo, cream2-wire.md section 8
    expires_at    DATETIME(6)     NOT NULL,
    created_at    DATETIME(6)     NOT NULL,
    renewed_at    DATETIME(6)     NULL,
    UNIQUE KEY delegation_key (subject_id, account_id, client_id),
    KEY delegation_account (account_id),
    KEY delegation_expiry (expires_at), -- the purger's scan
    CONSTRAINT delegation_subject FOREIGN KEY (subject_id) REFERENCES subject (id),
    CONSTRAINT delegation_account FOREIGN KEY (account_id) REFERENCES account (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- A certificate request that waits for its certificate. Several may wait under one id: the key's hash tells them apart.
CREATE TABLE delegation_request (
    id          INT UNSIGNED    NOT NULL AUTO_INCREMENT PRIMARY KEY,
    subject_id  INT UNSIGNED    NOT NULL,
    account_id  INT UNSIGNED    NOT NULL,
    client_id   VARCHAR(255)    NOT NULL,
    key_hash    BINARY(20)      NOT NULL, -- first 20 bytes of SHA-256 of the DER public key
    private_key VARBINARY(4096) NOT NULL, -- encrypted
    created_at  DATETIME(6)     NOT NULL,
    UNIQUE KEY delegation_request_key (subject_id, account_id, client_id, key_hash),
    KEY delegation_request_account (account_id),
    KEY delegation_request_age (created_at), -- the purger's scan
    CONSTRAINT delegation_request_subject FOREIGN KEY (subject_id) REFERENCES subject (id),
    CONSTRAINT delegation_request_account FOREIGN KEY (account_id) REFERENCES account (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- The one file a delegation's proxy lies in, written for its account; jobs refer to the delegation.
CREATE TABLE proxy_file (
    delegation_id INT UNSIGNED  NOT NULL PRIMARY KEY,
    path          VARCHAR(1024) NOT NULL,
    written_at    DATETIME(6)   NULL, -- NULL while the stored proxy is newer than the file
    CONSTRAINT proxy_file_delegation FOREIGN KEY (delegation_id) REFERENCES delegation (id) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

CREATE TABLE lease (
    id         INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    owner_id   INT UNSIGNED NOT NULL,
    client_id  VARCHAR(255) NOT NULL,
    expires_at DATETIME(6)  NOT NULL,
    UNIQUE KEY lease_key (owner_id, client_id),
    KEY lease_expiry (expires_at), -- the lease sweeper's scan
    CONSTRAINT lease_owner FOREIGN KEY (owner_id) REFERENCES owner (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- A running CE process. Claims of a node whose heartbeat stopped return to the queue.
CREATE TABLE node (
    id           INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    host         VARCHAR(255) NOT NULL,
    pid          BIGINT       NOT NULL,
    started_at   DATETIME(6)  NOT NULL,
    heartbeat_at DATETIME(6)  NOT NULL,
    KEY node_heartbeat (heartbeat_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- The hot row of a job. The wire's number is a permutation of the id (JobNumbers), so it needs no column.
CREATE TABLE job (
    id             INT UNSIGNED      NOT NULL AUTO_INCREMENT PRIMARY KEY,
    owner_id       INT UNSIGNED      NOT NULL,
    account_id     INT UNSIGNED      NOT NULL,
    queue_id       INT UNSIGNED      NOT NULL,
    delegation_id  INT UNSIGNED      NULL,
    lease_id       INT UNSIGNED      NULL,
    ice_id         INT UNSIGNED      NULL,
    state          TINYINT UNSIGNED  NOT NULL,
    state_before_hold TINYINT UNSIGNED NULL,
    state_since    DATETIME(6)       NOT NULL,
    hand_over      TINYINT UNSIGNED  NOT NULL DEFAULT 0, -- 0 not yet, 1 submitting: look the tag up first, 2 in the LRMS
    attempt        SMALLINT UNSIGNED NOT NULL DEFAULT 0,
    cancel_reason  VARCHAR(512)      NULL, -- description of the last JOB_CANCEL; NULL when none was asked
    lrms_id        VARCHAR(64)       NULL,
    worker_node    VARCHAR(255)      NULL,
    exit_code      VARCHAR(16)       NULL,
    failure_reason VARCHAR(2048)     NULL,
    description    VARCHAR(512)      NULL,
    registered_at  DATETIME(6)       NOT NULL,
    handed_over_at DATETIME(6)       NULL,
    running_at     DATETIME(6)       NULL,
    ended_at       DATETIME(6)       NULL,
    KEY job_owner (owner_id, state, registered_at), -- list, filters without ids
    KEY job_state (state, state_since),             -- poller, purge policies, count by state
    KEY job_delegation (delegation_id, state),      -- renewal, end of a delegation
    KEY job_lease (lease_id, state),                -- lease sweeper
    KEY job_account (account_id),
    KEY job_queue (queue_id, state),                -- poller per LRMS
    KEY job_ice (ice_id),
    CONSTRAINT job_owner FOREIGN KEY (owner_id) REFERENCES owner (id),
    CONSTRAINT job_account FOREIGN KEY (account_id) REFERENCES account (id),
    CONSTRAINT job_queue FOREIGN KEY (queue_id) REFERENCES queue (id),
    CONSTRAINT job_delegation FOREIGN KEY (delegation_id) REFERENCES delegation (id) ON DELETE SET NULL,
    CONSTRAINT job_lease FOREIGN KEY (lease_id) REFERENCES lease (id) ON DELETE SET NULL,
    CONSTRAINT job_ice FOREIGN KEY (ice_id) REFERENCES ice (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Long texts of a job, read by JobInfo and at hand-over only.
CREATE TABLE job_text (
    job_id      INT UNSIGNED NOT NULL PRIMARY KEY,
    jdl         MEDIUMTEXT   NOT NULL,
    grid_job_id TEXT         NULL,
    CONSTRAINT job_text_job FOREIGN KEY (job_id) REFERENCES job (id) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Further named properties of a job (warnings, properties of its wire id).
CREATE TABLE job_attribute (
    job_id INT UNSIGNED NOT NULL,
    name   VARCHAR(64)  NOT NULL,
    value  TEXT         NOT NULL,
    PRIMARY KEY (job_id, name),
    CONSTRAINT job_attribute_job FOREIGN KEY (job_id) REFERENCES job (id) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- States a job went through. The id is the event id of QueryEvent. owner_id repeats the job's (it never changes), so
-- that an owner's events after a given id are one index range.
CREATE TABLE job_state_history (
    id             BIGINT UNSIGNED  NOT NULL AUTO_INCREMENT PRIMARY KEY,
    job_id         INT UNSIGNED     NOT NULL,
    owner_id       INT UNSIGNED     NOT NULL,
    state          TINYINT UNSIGNED NOT NULL,
    at             DATETIME(6)      NOT NULL,
    exit_code      VARCHAR(16)      NULL,
    failure_reason VARCHAR(2048)    NULL,
    description    VARCHAR(512)     NULL,
    KEY job_state_history_job (job_id, id),
    KEY job_state_history_owner (owner_id, id),
    CONSTRAINT job_state_history_job FOREIGN KEY (job_id) REFERENCES job (id) ON DELETE CASCADE,
    CONSTRAINT job_state_history_owner FOREIGN KEY (owner_id) REFERENCES owner (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Queue and history of commands. Codes: command_kind, command_state. CREATED waits for an earlier command of its job.
CREATE TABLE command (
    id               BIGINT UNSIGNED  NOT NULL AUTO_INCREMENT PRIMARY KEY,
    job_id           INT UNSIGNED     NOT NULL,
    kind             TINYINT UNSIGNED NOT NULL,
    state            TINYINT UNSIGNED NOT NULL,
    priority         TINYINT UNSIGNED NOT NULL, -- smaller runs sooner, so that the claim reads its index forward
    run_after        DATETIME(6)      NOT NULL,
    tries            INT UNSIGNED     NOT NULL DEFAULT 0,
    node_id          INT UNSIGNED     NULL,
    claim_expires_at DATETIME(6)      NULL,
    description      VARCHAR(512)     NULL,
    failure_reason   VARCHAR(2048)    NULL,
    created_at       DATETIME(6)      NOT NULL,
    started_at       DATETIME(6)      NULL,
    completed_at     DATETIME(6)      NULL,
    KEY command_due (state, priority, run_after, id), -- the dispatcher's claim
    KEY command_job (job_id, state, id),              -- per-job order and promotion, JobInfo
    KEY command_claims (state, claim_expires_at),     -- claim expiry
    KEY command_node (node_id),
    CONSTRAINT command_job FOREIGN KEY (job_id) REFERENCES job (id) ON DELETE CASCADE,
    CONSTRAINT command_node FOREIGN KEY (node_id) REFERENCES node (id) ON DELETE SET NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- What an ended job used. Written with the end of the job, outlives its purge.
CREATE TABLE usage_record (
    id            INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    job_number    INT UNSIGNED NOT NULL,
    owner_id      INT UNSIGNED NOT NULL,
    account_id    INT UNSIGNED NOT NULL,
    queue_id      INT UNSIGNED NOT NULL,
    lrms_id       VARCHAR(64)  NULL,
    worker_node   VARCHAR(255) NULL,
    state         TINYINT UNSIGNED NOT NULL,
    exit_code     VARCHAR(16)  NULL,
    registered_at DATETIME(6)  NOT NULL,
    running_at    DATETIME(6)  NULL,
    ended_at      DATETIME(6)  NOT NULL,
    UNIQUE KEY usage_record_job (job_number),
    KEY usage_record_end (ended_at), -- accounting reads by time
    KEY usage_record_owner (owner_id, ended_at),
    KEY usage_record_account (account_id),
    KEY usage_record_queue (queue_id),
    CONSTRAINT usage_record_owner FOREIGN KEY (owner_id) REFERENCES owner (id),
    CONSTRAINT usage_record_account FOREIGN KEY (account_id) REFERENCES account (id),
    CONSTRAINT usage_record_queue FOREIGN KEY (queue_id) REFERENCES queue (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- One row: whether submission is enabled (0), blocked by the limiter (1) or disabled by an admin (2).
CREATE TABLE admission_state (
    id         TINYINT UNSIGNED NOT NULL PRIMARY KEY,
    state      TINYINT UNSIGNED NOT NULL,
    message    VARCHAR(512)     NULL,
    changed_by VARCHAR(2048)    NULL,
    changed_at DATETIME(6)      NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

INSERT INTO admission_state (id, state, changed_at)
VALUES (1, 0, UTC_TIMESTAMP(6));
