-- Ends that job wrappers have reported and that wait for the batch system's word, because it may know otherwise: a signal came, a
-- cancel was requested, the payload was killed, or the report is old (decision 0091). A row until the job's end is stored.
CREATE TABLE reported_end (
    job_id      INT UNSIGNED    NOT NULL PRIMARY KEY,
    event       VARBINARY(8192) NOT NULL, -- as the wrapper reported it, without the job's secret
    reported_at DATETIME(6)     NOT NULL,
    KEY reported_end_age (reported_at),   -- what has waited for too long
    CONSTRAINT reported_end_job FOREIGN KEY (job_id) REFERENCES job (id) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
