-- What all instances share.
-- PARAMETERS: none
-- RETURNS: name, value
-- INVARIANT: read after the insert, so it is what the first one wrote
SELECT name, value FROM foundation
