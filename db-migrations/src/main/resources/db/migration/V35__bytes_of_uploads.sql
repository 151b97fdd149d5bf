-- Bytes that users and wrappers uploaded over HTTPS, for each side of a sandbox that has more than a mebibyte of them: what a user has
-- stored of all jobs is their sum, which the purge of a job lowers by itself.
CREATE TABLE uploaded (
    job_id INT UNSIGNED NOT NULL,
    output BOOLEAN NOT NULL,
    subject_id INT UNSIGNED NOT NULL,
    bytes BIGINT NOT NULL,
    PRIMARY KEY (job_id, output),
    KEY uploaded_of_person (subject_id, bytes),
    CONSTRAINT uploaded_job FOREIGN KEY (job_id) REFERENCES job (id) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
