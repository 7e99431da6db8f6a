-- Records a repair.
-- PARAMETERS: what, before, after, why, created_at
-- RETURNS: nothing
-- INVARIANT: rows are never changed
INSERT INTO correction (what, `before`, `after`, why, created_at)
VALUES (?, ?, ?, ?, ?)
