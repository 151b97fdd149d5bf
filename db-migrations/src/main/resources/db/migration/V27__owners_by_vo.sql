-- The VO of a token's holder may become another one, by the configuration of its issuer or by the group that maps it: then it is another
-- owner. A column that is never NULL, as a unique key takes any number of NULLs.
ALTER TABLE owner
    ADD COLUMN vo_key VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin GENERATED ALWAYS AS (IFNULL(vo, '')) STORED,
    DROP KEY owner_key,
    ADD UNIQUE KEY owner_key (subject_id, fqan, vo_key);
