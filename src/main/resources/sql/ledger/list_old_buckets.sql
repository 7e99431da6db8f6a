-- Lists all buckets, as the tokens of their orders begin.
-- PARAMETERS: none
-- RETURNS: sku_id and bucket as one text
-- INVARIANT: read once, before a ledger of format 1 is migrated
SELECT CONCAT(sku_id, '.', bucket)
FROM inventory_bucket
ORDER BY sku_id, bucket
