-- Deletes a page of orders of format 1.
-- PARAMETERS: last order_token of the page before, and of the page
-- RETURNS: rows deleted
-- INVARIANT: in the transaction that has copied them
DELETE FROM orders_v1 WHERE order_token > ? AND order_token <= ?
