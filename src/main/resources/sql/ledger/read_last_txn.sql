-- Reads the id of the last committed append-only row.
-- PARAMETERS: none
-- RETURNS: its id, or 0
-- INVARIANT: reads one entry of the primary key
SELECT COALESCE(MAX(id), 0)
FROM stock_txn
