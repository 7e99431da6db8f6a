-- Drops the table of append-only rows of format 1.
-- PARAMETERS: none
-- RETURNS: nothing
-- INVARIANT: only when it is empty
DROP TABLE IF EXISTS stock_txn_v1
