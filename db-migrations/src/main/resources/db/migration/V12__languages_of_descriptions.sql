-- The language a description is written in; 0 is JDL.
ALTER TABLE job_text ADD COLUMN language TINYINT UNSIGNED NOT NULL DEFAULT 0;

-- Nothing reads these any more.
ALTER TABLE register_result DROP COLUMN fault_description;
DROP TABLE IF EXISTS job_attribute;
