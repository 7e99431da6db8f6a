-- Deletes an instance that has ended.
-- PARAMETERS: instance_id
-- RETURNS: rows deleted
-- INVARIANT: called by the instance itself, after its last answer to a buyer
DELETE FROM service_instance WHERE instance_id = ?
