-- Adds up the units that buyers have of buckets of SKUs that sell in the ledger alone, in the current sale.
-- PARAMETERS: sku_id, bucket, user_id of each
-- RETURNS: sku_id, bucket, user_id, units
-- INVARIANT: read while the buckets are locked; by key
SELECT d.sku_id, d.bucket, d.user_id,
  CAST(SUM(h.qty - COALESCE((SELECT SUM(m.qty) FROM stock_move m FORCE INDEX (PRIMARY)
    WHERE m.sku_id = h.sku_id AND m.bucket = h.bucket AND m.epoch = h.epoch AND m.seq = h.seq
      AND m.action IN ('CANCEL', 'REFUND')), 0)) AS SIGNED)
FROM direct_hold d FORCE INDEX (PRIMARY)
STRAIGHT_JOIN inventory_bucket b FORCE INDEX (PRIMARY)
  ON b.sku_id = d.sku_id AND b.bucket = d.bucket AND d.epoch > b.since_epoch
STRAIGHT_JOIN order_hold h FORCE INDEX (PRIMARY)
  ON h.sku_id = d.sku_id AND h.bucket = d.bucket AND h.epoch = d.epoch AND h.seq = d.seq
WHERE (d.sku_id, d.bucket, d.user_id) IN ({rows 3})
GROUP BY d.sku_id, d.bucket, d.user_id
