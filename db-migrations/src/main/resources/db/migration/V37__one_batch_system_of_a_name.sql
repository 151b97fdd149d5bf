-- Which batch system the queues of a name are of: jobs of another one of its kind cannot be seen in it, and would be taken as gone.
CREATE TABLE batch_system (
    lrms     VARCHAR(32)  NOT NULL PRIMARY KEY,
    identity VARCHAR(512) NOT NULL -- as it, or the configuration, says
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
