-- What a job used, as far as anybody measured it; NULL where nobody did (decision 0066). When it ran and where is there already:
-- running_at, ended_at, worker_node. usage_sources: 0 nobody, 1 the job wrapper, 2 the batch system, 3 both.
ALTER TABLE usage_record
    ADD COLUMN cpu_seconds     DECIMAL(13, 3)   NULL,
    ADD COLUMN wall_seconds    DECIMAL(13, 3)   NULL,
    ADD COLUMN cores           INT UNSIGNED     NULL,
    ADD COLUMN peak_memory_kib BIGINT UNSIGNED  NULL,
    ADD COLUMN usage_sources   TINYINT UNSIGNED NOT NULL DEFAULT 0;
