-- Administrators look jobs of all users up by name and label.
ALTER TABLE job_label ADD KEY job_label_of_all (name, value, job_id);
