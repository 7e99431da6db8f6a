-- Lists a page of the SKUs that were in a sale, and are in a later one now.
-- PARAMETERS: sale_id, sku_id after which to begin, limit
-- RETURNS: as list_skus_of_sale.sql, as they have left the sale; units that its orders hold or have bought
-- INVARIANT: in id order; a SKU that leaves the sale meanwhile is found here, or was found by list_skus_of_sale.sql before
SELECT e.sku_id, e.first_stock, e.total_stock, i.buckets, i.mode, e.settings, e.state, e.state,
  (SELECT CAST(JSON_OBJECTAGG(b.bucket, b.partition_id) AS CHAR) FROM inventory_bucket b
   WHERE b.sku_id = e.sku_id) AS placement,
  e.sale_no, e.sale_id, 0, 0, e.base, e.sold
FROM earlier_sale e FORCE INDEX (earlier_sale_by_sale)
STRAIGHT_JOIN inventory i FORCE INDEX (PRIMARY) ON i.sku_id = e.sku_id
WHERE e.sale_id = ? AND e.sku_id > ?
ORDER BY e.sku_id
LIMIT ?
