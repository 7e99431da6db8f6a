-- Forgets an instance that has ended.
-- PARAMETERS: instance_id
-- RETURNS: rows deleted
-- INVARIANT: by the instance itself, once it answers nobody any more
DELETE FROM service_instance WHERE instance_id = ?
