-- Deletes a job that is done, and with it the id of the buyer.
-- PARAMETERS: user_id
-- RETURNS: 1 row where it was there
-- INVARIANT: its result is on its way to who asked
DELETE FROM forget_job
WHERE user_id = ? AND done_at > 0
