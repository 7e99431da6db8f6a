-- Counts a slice of the holds of some SKUs, archived ones too, by the interval in which they were granted.
-- PARAMETERS: interval in milliseconds; sku_ids, limit, twice; limit
-- RETURNS: sku_id, bucket, epoch, sale_no, begin of the interval, orders, units, first created_at, last pay_before, last seq
-- INVARIANT: in the order of the primary key; at most limit entries of each table are read. An order that is moved
--   to the archive keeps its place in that order, so slices after each other count it once
SELECT slice.sku_id, slice.bucket, slice.epoch, slice.sale_no, slice.created_at - slice.created_at % ? AS began,
  COUNT(*), CAST(SUM(slice.qty) AS SIGNED), MIN(slice.created_at), MAX(slice.pay_before), MAX(slice.seq)
FROM (
  (SELECT sku_id, bucket, epoch, seq, sale_no, qty, created_at, pay_before
  FROM order_hold FORCE INDEX (PRIMARY)
  WHERE sku_id IN ({list})
  ORDER BY sku_id, bucket, epoch, seq
  LIMIT ?)
  UNION ALL
  (SELECT sku_id, bucket, epoch, seq, sale_no, qty, created_at, pay_before
  FROM archive_hold FORCE INDEX (PRIMARY)
  WHERE sku_id IN ({list})
  ORDER BY sku_id, bucket, epoch, seq
  LIMIT ?)
  ORDER BY sku_id, bucket, epoch, seq
  LIMIT ?) slice
GROUP BY slice.sku_id, slice.bucket, slice.epoch, slice.sale_no, began
