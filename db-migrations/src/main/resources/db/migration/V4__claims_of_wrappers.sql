-- Which wrapper runs a job, where worker nodes do not see its sandbox and so cannot agree on it there. NULL until one
-- asked, and for jobs whose wrappers claim the sandbox.
ALTER TABLE job
    ADD COLUMN claimed_by      VARCHAR(512)      NULL, -- the wrapper's process, as it calls itself
    ADD COLUMN claimed_attempt SMALLINT UNSIGNED NULL, -- the hand-over it came by
    ADD COLUMN claimed_lrms_id VARCHAR(64)       NULL; -- its batch job; NULL when the node does not tell
