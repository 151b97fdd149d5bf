-- The number of a command's last claim, which no other claim of it has: it tells the outcome of an old claim from that of a newer one
-- (decision 0048). Tries do not: one that does not count is taken back.
ALTER TABLE command
    ADD COLUMN claim_number INT UNSIGNED NOT NULL DEFAULT 0;
