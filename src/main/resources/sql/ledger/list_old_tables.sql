-- Lists the tables of format 1 that are still there.
-- PARAMETERS: none
-- RETURNS: table_name
-- INVARIANT: read under the migration lock
SELECT table_name
FROM information_schema.tables
WHERE table_schema = DATABASE() AND table_name IN ('orders_v1', 'stock_txn_v1') AND table_type = 'BASE TABLE'
