-- Drops the table of orders of format 1.
-- PARAMETERS: none
-- RETURNS: nothing
-- INVARIANT: only when it is empty
DROP TABLE IF EXISTS orders_v1
