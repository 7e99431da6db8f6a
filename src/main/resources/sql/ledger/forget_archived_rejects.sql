-- Gives archived rejected orders of a buyer the pseudonym in place of the id.
-- PARAMETERS: pseudonym, user_id, limit
-- RETURNS: rows changed
-- INVARIANT: as forget_archived_holds.sql
UPDATE archive_reject FORCE INDEX (archive_reject_by_user)
SET user_id = ?
WHERE user_id = ?
LIMIT ?
