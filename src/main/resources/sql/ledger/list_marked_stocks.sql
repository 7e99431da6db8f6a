-- Lists a page of the SKUs whose first bucket is in a partition and that have not begun to end, with what they have left.
-- PARAMETERS: partition_id, sku_id after which to begin, limit
-- RETURNS: sku_id, units, those held and sold, settings, below, crossings
-- INVARIANT: in key order; one snapshot of all buckets of a SKU; without the units of its earlier sales
SELECT f.sku_id,
  (SELECT CAST(SUM(b.allotted - b.base) AS SIGNED) FROM inventory_bucket b WHERE b.sku_id = f.sku_id),
  (SELECT CAST(SUM(b.held + b.sold - b.base) AS SIGNED) FROM inventory_bucket b WHERE b.sku_id = f.sku_id),
  i.settings, COALESCE(w.below, 0), COALESCE(w.crossings, 0)
FROM inventory_bucket f FORCE INDEX (inventory_bucket_by_end)
STRAIGHT_JOIN inventory i ON i.sku_id = f.sku_id
LEFT JOIN watermark w FORCE INDEX (PRIMARY) ON w.sku_id = f.sku_id
WHERE f.partition_id = ? AND f.ended = 0 AND f.sku_id > ? AND f.bucket = 0 AND i.state NOT IN ('ENDING', 'ENDED', 'ARCHIVED')
ORDER BY f.sku_id
LIMIT ?
