-- Reads how far a buyer is forgotten.
-- PARAMETERS: user_id
-- RETURNS: pseudonym, replaced, left_over, done_at
-- INVARIANT: -
SELECT pseudonym, replaced, left_over, done_at
FROM forget_job
WHERE user_id = ?
