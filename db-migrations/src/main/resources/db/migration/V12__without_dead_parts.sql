-- Nothing reads these any more.
ALTER TABLE register_result DROP COLUMN fault_description;
DROP TABLE IF EXISTS job_attribute;
