-- Lays down what all instances share, unless it is laid down.
-- PARAMETERS: name, value of each
-- RETURNS: rows written
-- INVARIANT: the first instance decides; nobody changes it
INSERT INTO foundation (name, value)
VALUES {rows 2}
ON DUPLICATE KEY UPDATE name = foundation.name
