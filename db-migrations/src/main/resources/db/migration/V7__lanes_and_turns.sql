-- Lanes: what is claimed apart, so that a batch system that does not answer holds up nothing else. Turns: the order within
-- the lane of a batch system, by which owners take turns. Both decide the claim's order, so its index begins with them.
-- run_after is set only while a command is put off: then it is CREATED, and not met by the claim's scan.
ALTER TABLE command
    DROP KEY command_due,
    DROP COLUMN priority,
    MODIFY COLUMN run_after DATETIME(6) NULL,
    ADD COLUMN lane VARCHAR(48)     NOT NULL DEFAULT 'other' AFTER state, -- control, hand-over LRMS, other, purge
    ADD COLUMN turn BIGINT UNSIGNED NOT NULL DEFAULT 0 AFTER lane;

-- What is queued now: each owner's first job, each owner's second, and so on.
UPDATE command c
    JOIN (SELECT d.id, q.lrms, ROW_NUMBER() OVER (PARTITION BY q.lrms, j.owner_id ORDER BY d.id) AS turn
          FROM command d JOIN job j ON j.id = d.job_id JOIN queue q ON q.id = j.queue_id
          WHERE d.kind = 1 AND d.state IN (0, 1, 2)) s ON s.id = c.id
SET c.lane = CONCAT('hand-over ', s.lrms), c.turn = s.turn;

-- Commands that were put off are due at once: their next try puts them off anew.
UPDATE command
SET run_after = NULL,
    lane      = CASE WHEN kind IN (2, 4, 5) THEN 'control' WHEN kind = 3 THEN 'purge' ELSE lane END;

ALTER TABLE command
    ADD KEY command_due (state, lane, turn, id), -- the dispatcher's claim
    ADD KEY command_later (run_after);           -- what was put off and is due again
