-- The number of a command's last claim: it only grows, while a try that does not count is taken back. It is what tells the outcome of an old
-- claim from that of a newer one (decision 0048).
ALTER TABLE command
    ADD COLUMN claim_number INT UNSIGNED NOT NULL DEFAULT 0;
