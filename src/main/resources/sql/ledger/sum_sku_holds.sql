-- Counts a slice of the holds of a SKU by the interval in which they were granted.
-- PARAMETERS: interval in milliseconds; sku_id; after which to begin: bucket twice, epoch twice, seq; limit
-- RETURNS: sku_id, bucket, epoch, sale_no, begin of the interval, orders, units, first created_at, last pay_before, last seq
-- INVARIANT: in the order of the primary key; at most limit entries are read
SELECT slice.sku_id, slice.bucket, slice.epoch, slice.sale_no, slice.created_at - slice.created_at % ? AS began,
  COUNT(*), CAST(SUM(slice.qty) AS SIGNED), MIN(slice.created_at), MAX(slice.pay_before), MAX(slice.seq)
FROM (
  SELECT sku_id, bucket, epoch, seq, sale_no, qty, created_at, pay_before
  FROM order_hold FORCE INDEX (PRIMARY)
  WHERE sku_id = ? AND (bucket > ? OR (bucket = ? AND (epoch > ? OR (epoch = ? AND seq > ?))))
  ORDER BY bucket, epoch, seq
  LIMIT ?) slice
GROUP BY slice.sku_id, slice.bucket, slice.epoch, slice.sale_no, began
