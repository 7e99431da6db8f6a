-- Counts the SKUs of a sale.
-- PARAMETERS: sale_id
-- RETURNS: one number
-- INVARIANT: the sale is locked, so that none joins
SELECT COUNT(*)
FROM inventory FORCE INDEX (inventory_by_sale)
WHERE sale_id = ?
