-- Sums a slice of a SKU's holds, grouped by bucket and epoch.
-- PARAMETERS: by bucket, the last write that counts; sku_id, bucket after which to begin, the same again, epoch after
--   which to begin, the same again, seq after which to begin, limit
-- RETURNS: bucket, epoch, step, action, rows, units of those that count, the last seq, of each group
-- INVARIANT: in the order of the primary key; at most limit entries are read
SELECT slice.bucket, slice.epoch, 0, 'HOLD', COUNT(*),
  CAST(SUM(
    CASE WHEN slice.write_no <= CAST(ELT(slice.bucket + 1, {list}) AS SIGNED) THEN slice.qty ELSE 0 END) AS SIGNED),
  MAX(slice.seq)
FROM (
  SELECT bucket, epoch, seq, qty, write_no
  FROM order_hold FORCE INDEX (PRIMARY)
  WHERE sku_id = ? AND (bucket > ? OR (bucket = ? AND (epoch > ? OR (epoch = ? AND seq > ?))))
  ORDER BY bucket, epoch, seq
  LIMIT ?) slice
GROUP BY slice.bucket, slice.epoch
