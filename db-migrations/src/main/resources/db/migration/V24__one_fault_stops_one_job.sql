-- Ids of batch jobs as long as Torque's: a number of up to 15 digits, a dot, and a server's name of up to 253 characters, behind what blahpd puts before them (decision 0094).
ALTER TABLE job
    MODIFY COLUMN lrms_id VARCHAR(300) NULL,
    MODIFY COLUMN claimed_lrms_id VARCHAR(300) NULL;

ALTER TABLE usage_record
    MODIFY COLUMN lrms_id VARCHAR(300) NULL;

-- Whether a repetition of the registration returns the job: then the first request must not take it back.
ALTER TABLE register_result
    ADD COLUMN repeated BOOLEAN NOT NULL DEFAULT FALSE;

-- When a delegation was ended: it counts as gone from then on, and its row until its file is removed and its jobs are cancelled. No renewal
-- comes in between (docs/architecture.md, path 3).
ALTER TABLE delegation
    ADD COLUMN ended_at DATETIME(6) NULL,
    ADD KEY delegation_ended (ended_at); -- what a process that died has left
