-- Lowers the total of a SKU by units of an earlier sale that came back.
-- PARAMETERS: units, sku_id
-- RETURNS: 1 row found
-- INVARIANT: total_stock is the sum of the buckets' allotments, which fall in the same transaction
UPDATE inventory
SET total_stock = total_stock - ?
WHERE sku_id = ?
