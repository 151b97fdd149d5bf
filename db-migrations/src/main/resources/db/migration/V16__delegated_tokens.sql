-- What is delegated (decision 0071). kind 0: a proxy, its chain in chain, its key in private_key. kind 1: a bearer token, encrypted in
-- private_key, which is as long as the longest token and its seal. The end of each kind has its own meaning, so the scan for ends is by kind.
ALTER TABLE delegation
    ADD COLUMN kind TINYINT UNSIGNED NOT NULL DEFAULT 0,
    MODIFY COLUMN private_key VARBINARY(16500) NOT NULL,
    DROP KEY delegation_expiry,
    ADD KEY delegation_expiry (kind, expires_at);
