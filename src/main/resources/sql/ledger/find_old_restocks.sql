-- Finds the end of the next page of restocks of format 1.
-- PARAMETERS: last id of the page before, limit
-- RETURNS: the last id of the page, or null
-- INVARIANT: in the order of the primary key, when the rows of orders are gone
SELECT MAX(page.id)
FROM (SELECT id FROM stock_txn_v1 WHERE id > ? AND action = 'RESTOCK' ORDER BY id LIMIT ?) page
