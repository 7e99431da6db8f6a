-- Lowers what an earlier sale of a SKU has sold.
-- PARAMETERS: units, sku_id, sale_no
-- RETURNS: 1 row found; none where the SKU sold on its own then
-- INVARIANT: in the transaction that takes these units out of the stock
UPDATE earlier_sale
SET sold = sold - ?
WHERE sku_id = ? AND sale_no = ?
