-- The FQAN under which a job is accounted, where it is not the owner's own VOMS attribute: jobs of bearer tokens (decision 0076).
-- Rows are made on first sight and never removed, so a job needs no foreign key, whose index each insert would pay for.
CREATE TABLE accounting_group (
    id   INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    fqan VARCHAR(255) NOT NULL,
    UNIQUE KEY accounting_group_fqan (fqan)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

ALTER TABLE job ADD COLUMN accounting_group_id INT UNSIGNED NULL;

-- message_id: the message that carries the record as it stands; NULL when none does yet, or the record has changed since.
-- published_end: the end under which it was published first, which stays: receivers know a record by it.
ALTER TABLE usage_record
    ADD COLUMN accounting_group_id INT UNSIGNED NULL,
    ADD COLUMN message_id          INT UNSIGNED NULL,
    ADD COLUMN published_end       DATETIME(6)  NULL,
    ADD KEY usage_record_message (message_id, ended_at), -- what is unsent, what a message carries
    ADD KEY usage_record_published (published_end);      -- summaries, counts and republishing of an interval

-- Messages with accounting records (decision 0077). Committed with the records it takes, before its file exists; sent_at is NULL until
-- the file is in the queue.
CREATE TABLE accounting_message (
    id         INT UNSIGNED     NOT NULL AUTO_INCREMENT PRIMARY KEY,
    kind       TINYINT UNSIGNED NOT NULL, -- 0 job records, 1 records of summaries, 2 lines of the BLAH log
    name       VARCHAR(32)      NOT NULL, -- of its file, below the queue; empty for summaries
    records    INT UNSIGNED     NOT NULL,
    created_at DATETIME(6)      NOT NULL,
    sent_at    DATETIME(6)      NULL,
    KEY accounting_message_sent (sent_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- One row: which node publishes, until when, and when totals were published last.
CREATE TABLE accounting_turn (
    id         TINYINT UNSIGNED NOT NULL PRIMARY KEY,
    holder     VARCHAR(64)      NULL,
    held_until DATETIME(6)      NULL,
    totals_at  DATETIME(6)      NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

INSERT INTO accounting_turn (id)
SELECT 1 FROM db_info WHERE NOT EXISTS (SELECT 1 FROM accounting_turn);
