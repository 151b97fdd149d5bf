-- How long what is delegated is: a person may have so many delegations, and so many bytes of them. The server counts, so that no writer
-- can count otherwise.
ALTER TABLE delegation
    ADD COLUMN bytes INT UNSIGNED GENERATED ALWAYS AS
        (OCTET_LENGTH(chain) + OCTET_LENGTH(private_key) + OCTET_LENGTH(info) + OCTET_LENGTH(fqans)) STORED,
    ADD KEY delegation_of_person (subject_id, bytes); -- number and sum
