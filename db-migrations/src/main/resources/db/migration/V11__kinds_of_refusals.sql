-- A refused registration is stored as its kind and what it is about; the texts are each protocol's own.
UPDATE register_result
SET fault_kind = 'DELEGATION_ENDED',
    fault_cause = SUBSTRING_INDEX(SUBSTRING_INDEX(fault_description, '[id=', -1), '] is not', 1)
WHERE fault_kind = 'DELEGATION_PROXY' AND fault_description LIKE 'the delegation [id=%';

UPDATE register_result
SET fault_kind = 'DELEGATION_UNKNOWN',
    fault_cause = SUBSTRING_INDEX(SUBSTRING_INDEX(fault_cause, '[delegId=', -1), '; dn=', 1)
WHERE fault_kind = 'DELEGATION_PROXY' AND fault_cause LIKE 'delegation [delegId=%';

UPDATE register_result SET fault_kind = 'DELEGATION_REFUSED' WHERE fault_kind = 'DELEGATION_PROXY';

UPDATE register_result SET fault_kind = 'DELEGATION_MISSING' WHERE fault_kind = 'DELEGATION_ID_MISMATCH';

UPDATE register_result
SET fault_kind = 'LEASE_UNKNOWN', fault_cause = SUBSTRING_INDEX(SUBSTRING_INDEX(fault_cause, '"', 2), '"', -1)
WHERE fault_kind = 'LEASE_ID_MISMATCH';
