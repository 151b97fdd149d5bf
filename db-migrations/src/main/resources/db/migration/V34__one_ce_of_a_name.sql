-- The name of a node, held by the one process that works under it: a second one is refused by the key, wherever it runs. NULL for a
-- further node of the same process, and of software before this version. A process number means something within its own namespace alone.
ALTER TABLE node
    ADD COLUMN pid_namespace VARCHAR(100) NULL,
    ADD COLUMN held_name     VARCHAR(255) NULL,
    ADD UNIQUE KEY node_held_name (held_name);
