-- Lists a page of the buckets that are gone from a partition: those that have ended, and those that were there before and are
-- elsewhere now.
-- PARAMETERS: partition_id, sku_id after which to begin, the same again, bucket after which to begin, limit; the same five
--   again; limit
-- RETURNS: sku_id, bucket
-- INVARIANT: in key order, none twice
SELECT sku_id, bucket
FROM (
  (SELECT sku_id, bucket
  FROM inventory_bucket
  WHERE partition_id = ? AND ended = 1 AND (sku_id > ? OR (sku_id = ? AND bucket > ?))
  ORDER BY sku_id, bucket
  LIMIT ?)
  UNION ALL
  (SELECT former.sku_id, former.bucket
  FROM former_place AS former
  STRAIGHT_JOIN inventory_bucket AS kept FORCE INDEX (PRIMARY)
    ON kept.sku_id = former.sku_id AND kept.bucket = former.bucket AND kept.partition_id <> former.partition_id
  WHERE former.partition_id = ? AND (former.sku_id > ? OR (former.sku_id = ? AND former.bucket > ?))
  ORDER BY former.sku_id, former.bucket
  LIMIT ?)
) AS gone
ORDER BY sku_id, bucket
LIMIT ?
