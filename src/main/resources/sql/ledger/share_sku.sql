-- Reads a SKU and keeps it as it is; others may do the same at the same time.
-- PARAMETERS: sku_id
-- RETURNS: sku_id, first_stock, total_stock, buckets, mode, settings, state, thawed_state, and as a JSON object the
--   partition of each bucket; sale_no, sale_id, frozen_by_sale, sale_version,
--   units of earlier sales
-- INVARIANT: for transactions that change some of its buckets, which they lock next, and not the SKU
SELECT sku_id, first_stock, total_stock, buckets, mode, settings, state, thawed_state,
  (SELECT CAST(JSON_OBJECTAGG(b.bucket, b.partition_id) AS CHAR) FROM inventory_bucket b
   WHERE b.sku_id = inventory.sku_id) AS placement,
  sale_no, sale_id, frozen_by_sale, sale_version,
  (SELECT CAST(SUM(u.base) AS SIGNED) FROM inventory_bucket u WHERE u.sku_id = inventory.sku_id) AS base
FROM inventory
WHERE sku_id = ?
LOCK IN SHARE MODE
