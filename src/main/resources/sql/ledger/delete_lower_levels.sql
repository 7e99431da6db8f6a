-- Ends the levels below one: no instance of theirs gets a row any more.
-- PARAMETERS: level
-- RETURNS: rows deleted
-- INVARIANT: none of them runs; the rows of those that were not seen for long are deleted with their level
DELETE FROM instance_level WHERE level < ?
