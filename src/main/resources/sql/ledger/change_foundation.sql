-- Changes a value that all instances share.
-- PARAMETERS: value, name
-- RETURNS: 1 row found, or 0
-- INVARIANT: only where an order log is adopted, while no instance runs, or the level is raised, while none of a
--   lower one does
UPDATE foundation SET value = ? WHERE name = ?
