-- The values of a slot of the dashboard's series under their names (decision 0079), so that a further series needs no column: numbers, and
-- for times an array with the counts of each bucket; what is missing or null is unknown. The columns go with the next version, as a change of
-- rows is repeated when it was interrupted (decision 0080).
ALTER TABLE series_point ADD COLUMN numbers JSON NULL;
UPDATE series_point SET numbers = JSON_OBJECT(
    'jobs_registered', jobs_registered, 'jobs_pending', jobs_pending, 'jobs_idle', jobs_idle, 'jobs_running', jobs_running,
    'jobs_really_running', jobs_really_running, 'jobs_held', jobs_held, 'waiting_control', waiting_control,
    'waiting_hand_over', waiting_hand_over, 'waiting_purge', waiting_purge, 'waiting_other', waiting_other,
    'oldest_waiting', oldest_waiting, 'oldest_job', oldest_job, 'descriptors', descriptors, 'memory_heap', memory_heap,
    'memory_jvm', memory_jvm, 'memory_database', memory_database, 'memory_helper', memory_helper, 'hand_over_window', hand_over_window,
    'hand_over_paused', hand_over_paused, 'registered', registered, 'handed_over', handed_over, 'done_ok', done_ok,
    'done_failed', done_failed, 'cancelled', cancelled, 'aborted', aborted, 'requests_failed', requests_failed, 'cpu_jvm', cpu_jvm,
    'cpu_database', cpu_database, 'cpu_helper', cpu_helper, 'starts_commands', starts_commands, 'starts_workers', starts_workers,
    'starts_servers', starts_servers, 'statements', statements, 'commits', commits,
    'request', JSON_ARRAY(request_00, request_01, request_02, request_03, request_04, request_05, request_06, request_07, request_08,
    request_09, request_10, request_11, request_12, request_13, request_14, request_15),
    'hand_over', JSON_ARRAY(hand_over_00, hand_over_01, hand_over_02, hand_over_03, hand_over_04, hand_over_05, hand_over_06,
    hand_over_07, hand_over_08, hand_over_09, hand_over_10, hand_over_11, hand_over_12, hand_over_13, hand_over_14, hand_over_15));
