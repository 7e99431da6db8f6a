-- Inserts the values that all instances share, unless they exist.
-- PARAMETERS: name, value of each
-- RETURNS: rows written
-- INVARIANT: the first instance's values are kept and never changed
INSERT INTO foundation (name, value)
VALUES {rows 2}
ON DUPLICATE KEY UPDATE name = foundation.name
