-- Series of the dashboard (decision 0079): for each host and resolution a ring of so many slots, written again when its time comes
-- round. Resolutions: 0 an hour by minutes, 1 a day by 5 minutes, 2 a week by hours, 3 a month by 4 hours. One statement of a node and
-- minute writes its slot of each ring. NULL is unknown.
CREATE TABLE series_point (
    resolution TINYINT UNSIGNED  NOT NULL,
    host       VARCHAR(255)      NOT NULL,
    slot       SMALLINT UNSIGNED NOT NULL,
    begin_at   DATETIME(6)       NOT NULL, -- of the slot's time; another one than now's is of an earlier round
    samples    INT UNSIGNED      NOT NULL,
    seconds    DOUBLE            NOT NULL, -- that the counts below are of
    -- Means of all nodes' jobs and commands.
    jobs_registered        DOUBLE NULL,
    jobs_pending           DOUBLE NULL,
    jobs_idle              DOUBLE NULL,
    jobs_running           DOUBLE NULL,
    jobs_really_running    DOUBLE NULL,
    jobs_held              DOUBLE NULL,
    waiting_control        DOUBLE NULL,
    waiting_hand_over      DOUBLE NULL,
    waiting_purge          DOUBLE NULL,
    waiting_other          DOUBLE NULL,
    oldest_waiting         DOUBLE NULL,
    -- Means of this node.
    descriptors            DOUBLE NULL,
    memory_heap            DOUBLE NULL,
    memory_jvm             DOUBLE NULL,
    memory_database        DOUBLE NULL,
    memory_helper          DOUBLE NULL,
    hand_over_window       DOUBLE NULL,
    hand_over_paused       DOUBLE NULL,
    -- Counts of this node; CPU in seconds.
    registered             DOUBLE NULL,
    handed_over            DOUBLE NULL,
    done_ok                DOUBLE NULL,
    done_failed            DOUBLE NULL,
    cancelled              DOUBLE NULL,
    aborted                DOUBLE NULL,
    requests_failed        DOUBLE NULL,
    cpu_jvm                DOUBLE NULL,
    cpu_database           DOUBLE NULL,
    cpu_helper             DOUBLE NULL,
    starts_commands        DOUBLE NULL,
    starts_workers         DOUBLE NULL,
    starts_servers         DOUBLE NULL,
    statements             DOUBLE NULL,
    commits                DOUBLE NULL,
    -- Counts of requests, and of hand-overs from the start to the batch system, by time: up to 5, 10, 25, 50, 100, 250, 500 ms,
    -- 1, 2.5, 5, 10, 30 s, 1, 5, 30 minutes, and longer.
    request_00 DOUBLE NULL, request_01 DOUBLE NULL, request_02 DOUBLE NULL, request_03 DOUBLE NULL,
    request_04 DOUBLE NULL, request_05 DOUBLE NULL, request_06 DOUBLE NULL, request_07 DOUBLE NULL,
    request_08 DOUBLE NULL, request_09 DOUBLE NULL, request_10 DOUBLE NULL, request_11 DOUBLE NULL,
    request_12 DOUBLE NULL, request_13 DOUBLE NULL, request_14 DOUBLE NULL, request_15 DOUBLE NULL,
    hand_over_00 DOUBLE NULL, hand_over_01 DOUBLE NULL, hand_over_02 DOUBLE NULL, hand_over_03 DOUBLE NULL,
    hand_over_04 DOUBLE NULL, hand_over_05 DOUBLE NULL, hand_over_06 DOUBLE NULL, hand_over_07 DOUBLE NULL,
    hand_over_08 DOUBLE NULL, hand_over_09 DOUBLE NULL, hand_over_10 DOUBLE NULL, hand_over_11 DOUBLE NULL,
    hand_over_12 DOUBLE NULL, hand_over_13 DOUBLE NULL, hand_over_14 DOUBLE NULL, hand_over_15 DOUBLE NULL,
    PRIMARY KEY (resolution, host, slot) -- reads take a resolution
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- A search for the batch system's id; written once in a job's life.
ALTER TABLE job ADD KEY job_lrms_id (lrms_id);
