-- Where the database is a cluster: the one server through which all CEs write, and how often that has changed (decision 0074). Empty for
-- none yet. Written by who opens a connection, never by who works on one.
CREATE TABLE database_writer (
    id     TINYINT UNSIGNED NOT NULL PRIMARY KEY,
    server VARCHAR(255)     NOT NULL,
    term   BIGINT UNSIGNED  NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

INSERT INTO database_writer (id, server, term)
SELECT 1, '', 0 FROM db_info WHERE NOT EXISTS (SELECT 1 FROM database_writer);
