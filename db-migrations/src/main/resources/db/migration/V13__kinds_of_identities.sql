-- A subject is known by the kind of its credential and its name; 0 is X.509, whose name is a DN.
ALTER TABLE subject ADD COLUMN kind TINYINT UNSIGNED NOT NULL DEFAULT 0 AFTER id;
ALTER TABLE subject ADD UNIQUE KEY subject_key (kind, dn_hash);
ALTER TABLE subject DROP KEY subject_dn;
