-- The name that a job's owner gave it, under the empty text, and its labels: rows of those jobs alone that have any. Owners look their
-- jobs up by them; the job's purge takes its rows along. owner_id repeats the job's, which never changes, for the index.
CREATE TABLE job_label (
    job_id   INT UNSIGNED NOT NULL,
    name     VARCHAR(63)  NOT NULL,
    owner_id INT UNSIGNED NOT NULL,
    value    VARCHAR(255) NOT NULL,
    PRIMARY KEY (job_id, name),
    KEY job_label_value (owner_id, name, value, job_id),
    CONSTRAINT job_label_job FOREIGN KEY (job_id) REFERENCES job (id) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
