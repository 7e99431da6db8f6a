-- Notes that all orders of earlier sales of a SKU are in the archive.
-- PARAMETERS: sku_id, the last of these sales
-- RETURNS: rows found; none where it was in no earlier sale
-- INVARIANT: in the transaction that ends the job; the SKU is locked
UPDATE earlier_sale
SET state = 'ARCHIVED'
WHERE sku_id = ? AND sale_no <= ?
