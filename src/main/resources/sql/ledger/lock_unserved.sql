-- Reads and locks those of these requests that nobody has served for a while.
-- PARAMETERS: milliseconds, open_key of each
-- RETURNS: id, payload
-- INVARIANT: none of them is served before the transaction ends
SELECT id, payload
FROM owner_request FORCE INDEX (owner_request_open)
WHERE created_at <= CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED) - ? AND open_key IN ({list}) AND status = 'OPEN'
FOR UPDATE
