-- The last append-only row that is committed.
-- PARAMETERS: none
-- RETURNS: its id, or 0
-- INVARIANT: reads one entry of the primary key
SELECT COALESCE(MAX(id), 0)
FROM stock_txn
