-- Marks a request as served: it is carried out from its outbox row now, and is not withdrawn any more.
-- PARAMETERS: id
-- RETURNS: 1 row found, or 0 where it is served or closed already
-- INVARIANT: compares and sets, so that a request is either served or withdrawn; it keeps its key until it is closed
UPDATE owner_request
SET status = 'SERVED'
WHERE id = ? AND status = 'OPEN'
