-- Until when the batch system's word is known of all ends of a queue's jobs (decision 0091): what ended later is asked of it once more after a
-- start, however long the CE was away.
CREATE TABLE ends_confirmed (
    queue_id INT UNSIGNED NOT NULL PRIMARY KEY,
    until    DATETIME(6)  NOT NULL,
    CONSTRAINT ends_confirmed_queue FOREIGN KEY (queue_id) REFERENCES queue (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
