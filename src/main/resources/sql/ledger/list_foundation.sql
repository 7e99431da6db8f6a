-- Lists the values that all instances share.
-- PARAMETERS: none
-- RETURNS: name, value
-- INVARIANT: read after the insert, so these are the first instance's values
SELECT name, value FROM foundation
