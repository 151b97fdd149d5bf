-- Messages and live output of running jobs (docs/live.md, decision 0085).

-- One row: the last id of a message. Whoever stores messages takes his ids here as the last thing before he writes them, and holds the row
-- until the commit: ids become visible in their order, and a reader that goes on from the last one it has misses none.
CREATE TABLE message_clock (
    id   TINYINT UNSIGNED NOT NULL PRIMARY KEY,
    last BIGINT UNSIGNED  NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

INSERT INTO message_clock (id, last)
SELECT 1, 0 FROM db_info WHERE NOT EXISTS (SELECT 1 FROM message_clock);

-- How far the CE has got with a job that has sent something or whose live output somebody wants: a row from then on until its purge.
CREATE TABLE job_messages (
    job_id        INT UNSIGNED     NOT NULL PRIMARY KEY,
    owner_id      INT UNSIGNED     NOT NULL,           -- the job's, which never changes
    last_number   BIGINT UNSIGNED  NOT NULL DEFAULT 0, -- of the messages taken in; those that were dropped are counted
    messages      INT UNSIGNED     NOT NULL DEFAULT 0, -- stored
    message_bytes BIGINT UNSIGNED  NOT NULL DEFAULT 0, -- of these
    output_bytes  BIGINT UNSIGNED  NOT NULL DEFAULT 0, -- of stored output
    stdout_end    BIGINT UNSIGNED  NOT NULL DEFAULT 0, -- offset of what is wanted next
    stderr_end    BIGINT UNSIGNED  NOT NULL DEFAULT 0,
    dropped       BIGINT UNSIGNED  NOT NULL DEFAULT 0, -- messages over a quota
    dropped_bytes BIGINT UNSIGNED  NOT NULL DEFAULT 0, -- of output over a quota
    noticed       TINYINT UNSIGNED NOT NULL DEFAULT 0, -- quotas of which a notice says that they are used up: a bit each
    expected      BIGINT UNSIGNED  NULL,               -- messages that the job sent, as its wrapper says at the end
    live          TINYINT UNSIGNED NOT NULL DEFAULT 0, -- live output: 0 not asked for, 1 the wrapper is to be told, 2 it was
    closed        BOOLEAN          NOT NULL DEFAULT FALSE, -- the job has ended and nothing more is stored
    due_at        DATETIME(6)      NULL,               -- when its journal is to be read, or its wrapper told; NULL for never
    KEY job_messages_due (closed, due_at),             -- the journal reader's claim
    KEY job_messages_owner (owner_id, message_bytes, output_bytes), -- the owner's quota
    CONSTRAINT job_messages_job FOREIGN KEY (job_id) REFERENCES job (id) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- kind: 0 message, 1 piece of standard output, 2 of standard error, 3 notice of the CE. level: 0 debug, 1 info, 2 warning, 3 error.
CREATE TABLE message (
    id          BIGINT UNSIGNED  NOT NULL PRIMARY KEY, -- from message_clock
    job_id      INT UNSIGNED     NOT NULL,
    owner_id    INT UNSIGNED     NOT NULL,
    kind        TINYINT UNSIGNED NOT NULL,
    number      BIGINT UNSIGNED  NOT NULL, -- line in the job's journal; of output the offset of its first byte; 0 of a notice
    sent_at     DATETIME(6)      NOT NULL, -- by the worker node's clock
    received_at DATETIME(6)      NOT NULL,
    level       TINYINT UNSIGNED NOT NULL,
    name        VARCHAR(64)      NULL,     -- the key of a message
    content     VARBINARY(8192)  NOT NULL,
    KEY message_job (job_id, id),          -- followers of a job
    KEY message_owner (owner_id, id),      -- followers of an owner
    CONSTRAINT message_job FOREIGN KEY (job_id) REFERENCES job_messages (job_id) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
