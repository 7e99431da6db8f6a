-- Finds the end of the next page of orders of format 1.
-- PARAMETERS: last order_token of the page before, limit
-- RETURNS: the last order_token of the page, or null
-- INVARIANT: in the order of the primary key
SELECT MAX(page.order_token)
FROM (SELECT order_token FROM orders_v1 WHERE order_token > ? ORDER BY order_token LIMIT ?) page
