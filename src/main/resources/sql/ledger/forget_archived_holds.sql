-- Gives archived orders of a buyer the pseudonym in place of the id.
-- PARAMETERS: pseudonym, user_id, limit
-- RETURNS: rows changed
-- INVARIANT: by index; nothing else of an archived order is ever changed
UPDATE archive_hold FORCE INDEX (archive_hold_by_user)
SET user_id = ?
WHERE user_id = ?
LIMIT ?
