-- Jobs that are being cancelled and are to be purged as soon as they have ended: clients of ARC REST send kill and clean in a row, and
-- then forget the job (docs/developer/protocol/arc-rest.md). Few rows; the job's purge takes its row along.
CREATE TABLE purge_at_end (
    job_id INT UNSIGNED NOT NULL PRIMARY KEY,
    CONSTRAINT purge_at_end_job FOREIGN KEY (job_id) REFERENCES job (id) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
