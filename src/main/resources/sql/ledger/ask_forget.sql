-- Asks for a buyer to be forgotten.
-- PARAMETERS: user_id, pseudonym
-- RETURNS: nothing
-- INVARIANT: one that is under way keeps its pseudonym
INSERT INTO forget_job (user_id, pseudonym)
VALUES (?, ?)
ON DUPLICATE KEY UPDATE pseudonym = pseudonym
