-- A job's row changes its state five times, and six of its nine indexes ended in the state or began with it. Now two do: job_owner
-- and job_state. The rest find few rows without it: active jobs of a queue or of a past lease by these two, a delegation's only when
-- it is destroyed, a lease's because ended jobs hold none. Rows of account, queue and ice are never deleted, so no index has to
-- find who refers to them. Nodes are deleted, and a done command may name one that is gone: to clear that meant to
-- write all commands a node had done when its successor starts.
ALTER TABLE job
    DROP FOREIGN KEY job_account,
    DROP FOREIGN KEY job_queue,
    DROP FOREIGN KEY job_ice;
ALTER TABLE job
    DROP KEY job_account,
    DROP KEY job_queue,
    DROP KEY job_ice,
    DROP KEY job_past_lease,
    ADD KEY job_of_delegation (delegation_id), -- end of a delegation
    ADD KEY job_of_lease (lease_id),           -- lease sweeper
    DROP KEY job_delegation,
    DROP KEY job_lease;

-- What is claimed is found by the state in command_due, a job's few commands by the job.
ALTER TABLE command DROP FOREIGN KEY command_node;
ALTER TABLE command
    DROP KEY command_node,
    DROP KEY command_claims,
    ADD KEY command_of_job (job_id), -- per-job order and promotion, JobInfo
    DROP KEY command_job;

ALTER TABLE usage_record
    DROP FOREIGN KEY usage_record_account,
    DROP FOREIGN KEY usage_record_queue;
ALTER TABLE usage_record
    DROP KEY usage_record_account,
    DROP KEY usage_record_queue;

ALTER TABLE register_key DROP FOREIGN KEY register_key_account;
ALTER TABLE register_key DROP KEY register_key_account;
