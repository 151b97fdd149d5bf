-- What the site's routes gave a job when it was registered (decision 0110): jobs with equal settings share a row. Rows are made on first
-- sight and never removed, so a job needs no foreign key, whose index each insert would pay for.
CREATE TABLE route (
    id      INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    hash    BINARY(32)   NOT NULL, -- SHA-256 of the content as it was written
    content JSON         NOT NULL,
    UNIQUE KEY route_hash (hash)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- NULL for a job that no route matches.
ALTER TABLE job ADD COLUMN route_id INT UNSIGNED NULL;
