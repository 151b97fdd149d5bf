-- V38 has put their values into numbers.
ALTER TABLE series_point
    DROP COLUMN jobs_registered, DROP COLUMN jobs_pending, DROP COLUMN jobs_idle, DROP COLUMN jobs_running,
    DROP COLUMN jobs_really_running, DROP COLUMN jobs_held, DROP COLUMN waiting_control, DROP COLUMN waiting_hand_over,
    DROP COLUMN waiting_purge, DROP COLUMN waiting_other, DROP COLUMN oldest_waiting, DROP COLUMN oldest_job, DROP COLUMN descriptors,
    DROP COLUMN memory_heap, DROP COLUMN memory_jvm, DROP COLUMN memory_database, DROP COLUMN memory_helper,
    DROP COLUMN hand_over_window, DROP COLUMN hand_over_paused, DROP COLUMN registered, DROP COLUMN handed_over, DROP COLUMN done_ok,
    DROP COLUMN done_failed, DROP COLUMN cancelled, DROP COLUMN aborted, DROP COLUMN requests_failed, DROP COLUMN cpu_jvm,
    DROP COLUMN cpu_database, DROP COLUMN cpu_helper, DROP COLUMN starts_commands, DROP COLUMN starts_workers,
    DROP COLUMN starts_servers, DROP COLUMN statements, DROP COLUMN commits, DROP COLUMN request_00, DROP COLUMN request_01,
    DROP COLUMN request_02, DROP COLUMN request_03, DROP COLUMN request_04, DROP COLUMN request_05, DROP COLUMN request_06,
    DROP COLUMN request_07, DROP COLUMN request_08, DROP COLUMN request_09, DROP COLUMN request_10, DROP COLUMN request_11,
    DROP COLUMN request_12, DROP COLUMN request_13, DROP COLUMN request_14, DROP COLUMN request_15, DROP COLUMN hand_over_00,
    DROP COLUMN hand_over_01, DROP COLUMN hand_over_02, DROP COLUMN hand_over_03, DROP COLUMN hand_over_04, DROP COLUMN hand_over_05,
    DROP COLUMN hand_over_06, DROP COLUMN hand_over_07, DROP COLUMN hand_over_08, DROP COLUMN hand_over_09, DROP COLUMN hand_over_10,
    DROP COLUMN hand_over_11, DROP COLUMN hand_over_12, DROP COLUMN hand_over_13, DROP COLUMN hand_over_14, DROP COLUMN hand_over_15,
    MODIFY numbers JSON NOT NULL;
