-- Lists a page of the SKUs of a sale.
-- PARAMETERS: sale_id, sku_id after which to begin, limit
-- RETURNS: sku_id, first_stock, total_stock, buckets, mode, settings, state, thawed_state, and as a JSON object the
--   partition of each bucket; sale_no, sale_id, frozen_by_sale, sale_version,
--   units of earlier sales
-- INVARIANT: in id order
SELECT sku_id, first_stock, total_stock, buckets, mode, settings, state, thawed_state,
  (SELECT CAST(JSON_OBJECTAGG(b.bucket, b.partition_id) AS CHAR) FROM inventory_bucket b
   WHERE b.sku_id = inventory.sku_id) AS placement,
  sale_no, sale_id, frozen_by_sale, sale_version,
  (SELECT CAST(SUM(u.base) AS SIGNED) FROM inventory_bucket u WHERE u.sku_id = inventory.sku_id) AS base
FROM inventory FORCE INDEX (inventory_by_sale)
WHERE sale_id = ? AND sku_id > ?
ORDER BY sku_id
LIMIT ?
