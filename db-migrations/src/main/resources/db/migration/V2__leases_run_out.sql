-- What a job remembers of a lease that ran out, or that it had when it ended: the lease itself may be gone or renewed.
-- lease_id and past_lease are never set together.
ALTER TABLE job
    ADD COLUMN past_lease      VARCHAR(255)     NULL,               -- the id the client gave the lease
    ADD COLUMN past_lease_end  DATETIME(6)      NULL,
    ADD COLUMN lease_cancels   TINYINT UNSIGNED NOT NULL DEFAULT 0, -- cancels tried since the lease ran out
    ADD COLUMN lease_cancel_at DATETIME(6)      NULL,               -- when the next one is due; NULL for never
    ADD KEY job_lease_cancel (lease_cancel_at),                     -- the lease sweeper's scan
    ADD KEY job_past_lease (owner_id, past_lease, state);           -- a lease set anew

-- Ended jobs have no lease any more.
UPDATE job j JOIN lease l ON l.id = j.lease_id
SET j.past_lease = l.client_id, j.past_lease_end = l.expires_at, j.lease_id = NULL
WHERE j.state IN (5, 7, 8, 10);
