-- Looks for a restock of a bucket that is to be delivered.
-- PARAMETERS: partition_id, the length of the next two, how the payload begins where more follows, and where it ends there
-- RETURNS: id
-- INVARIANT: every payload of this kind begins with the bucket; however many rows others have, none of them counts
SELECT id
FROM outbox
WHERE partition_id = ? AND kind = 'RESTOCK' AND status = 'PENDING' AND LEFT(payload, ?) IN (?, ?)
LIMIT 1
