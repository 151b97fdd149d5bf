-- QueryEvent with a status filter: for each state an owner's events after a given id are one index range, so that a rare
-- state is found without reading the events in between.
ALTER TABLE job_state_history ADD KEY job_state_history_state (owner_id, state, id);
