-- Name and labels of the job that the record is of, which outlives the job's rows of them: an object, the name under '=', which no
-- label has. NULL for jobs without any.
ALTER TABLE usage_record ADD COLUMN labels JSON NULL;
