-- For people who read the database: the two questions the CREAM performance report asks of it. With the rights of who asks.
-- OR REPLACE, so that a start killed between the two may be repeated.

-- How many jobs are in each state now. One range of the index job_state per state, no row of job is read.
CREATE OR REPLACE SQL SECURITY INVOKER VIEW job_state_counts AS
SELECT s.name AS state, s.is_final, (SELECT COUNT(*) FROM job j WHERE j.state = s.code) AS jobs
FROM job_state s;

-- Why jobs that are stored now have failed. Reads the jobs that did, by the index job_state.
CREATE OR REPLACE SQL SECURITY INVOKER VIEW failure_reasons AS
SELECT s.name AS state, j.failure_reason AS reason, COUNT(*) AS jobs
FROM job j
         JOIN job_state s ON s.code = j.state
WHERE j.state IN (8, 10)
GROUP BY s.name, j.failure_reason;
