-- Writes the value of a duty.
-- PARAMETERS: value, duty
-- RETURNS: 1 row found
-- INVARIANT: it is locked
UPDATE direct_duty SET value = ? WHERE duty = ?
