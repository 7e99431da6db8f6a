-- Deletes a page of restocks of format 1.
-- PARAMETERS: last id of the page before, and of the page
-- RETURNS: rows deleted
-- INVARIANT: in the transaction that has copied them
DELETE FROM stock_txn_v1 WHERE id > ? AND id <= ? AND action = 'RESTOCK'
