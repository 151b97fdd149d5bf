-- How long the job has waited that has waited longest, here or in the batch system: a mean of all nodes, as oldest_waiting is of commands.
ALTER TABLE series_point
    ADD COLUMN oldest_job DOUBLE NULL;
