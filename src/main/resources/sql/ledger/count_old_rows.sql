-- Counts append-only rows of format 1 that belong to no order.
-- PARAMETERS: none
-- RETURNS: rows
-- INVARIANT: when all orders and restocks are copied
SELECT COUNT(*) FROM stock_txn_v1
