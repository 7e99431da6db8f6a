-- Counts the tables named orders: 1 before a ledger of format 1 is migrated, later it is a view.
-- PARAMETERS: none
-- RETURNS: count
-- INVARIANT: read under the migration lock
SELECT COUNT(*)
FROM information_schema.tables
WHERE table_schema = DATABASE() AND table_name = 'orders' AND table_type = 'BASE TABLE'
