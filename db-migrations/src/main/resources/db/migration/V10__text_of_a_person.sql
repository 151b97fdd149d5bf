-- How long the description of a job is, and whose it is: an answer is read in slices of so many bytes, and a person's descriptions
-- may have so many bytes together. The server counts, so that no writer can count otherwise.
ALTER TABLE job_text
    ADD COLUMN subject_id INT UNSIGNED NOT NULL DEFAULT 0,
    ADD COLUMN bytes INT UNSIGNED GENERATED ALWAYS AS (OCTET_LENGTH(jdl)) STORED;

UPDATE job_text t JOIN job j ON j.id = t.job_id JOIN owner o ON o.id = j.owner_id
SET t.subject_id = o.subject_id;

ALTER TABLE job_text ADD KEY job_text_of_person (subject_id, bytes); -- the sum
