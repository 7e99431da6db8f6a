-- Reads the seq of the last hold of buckets in their epochs.
-- PARAMETERS: sku_id, bucket of each
-- RETURNS: sku_id, bucket, seq; 0 where there is no hold
-- INVARIANT: read while the buckets are locked; the last entry of the primary key, not a scan
SELECT b.sku_id, b.bucket,
  COALESCE((SELECT h.seq FROM order_hold h FORCE INDEX (PRIMARY)
    WHERE h.sku_id = b.sku_id AND h.bucket = b.bucket AND h.epoch = b.epoch
    ORDER BY h.seq DESC LIMIT 1), 0)
FROM inventory_bucket b FORCE INDEX (PRIMARY)
WHERE (b.sku_id, b.bucket) IN ({rows 2})
