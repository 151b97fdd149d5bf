-- Ids of batch jobs as long as Torque's: a number of up to 15 digits, a dot, and a server's name of up to 253 characters (decision 0094).
ALTER TABLE job
    MODIFY COLUMN lrms_id VARCHAR(280) NULL,
    MODIFY COLUMN claimed_lrms_id VARCHAR(280) NULL;

ALTER TABLE usage_record
    MODIFY COLUMN lrms_id VARCHAR(280) NULL;
