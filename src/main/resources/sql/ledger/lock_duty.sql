-- Locks a duty that instances do in turn for SKUs that sell in the ledger alone.
-- PARAMETERS: duty
-- RETURNS: value
-- INVARIANT: until the transaction ends, so what one does is committed before the next one looks
SELECT value
FROM direct_duty
WHERE duty = ?
FOR UPDATE
