-- Lists the next payment deadlines, of holds and of their extensions, and which of these holds have not ended.
-- PARAMETERS: partition_id, pay_before at most; after which to begin: pay_before twice, sku_id twice, bucket twice, epoch
--   twice, seq; limit; all of this again; limit
-- RETURNS: pay_before, sku_id, bucket, epoch, seq, and order_token where the hold has not ended, this is its latest
--   deadline, and it leads its order
-- INVARIANT: looks at no more than that many holds, and extensions, by index; the key of a secondary index ends with the
--   primary key. A hold with an extension is listed by each of its deadlines, and is due by the latest alone: after an
--   outage that one may be over by the clock, but not for its buyer. So is an order of several SKUs by its lead alone, the
--   first of its cart, which has the extensions
SELECT page.pay_before, page.sku_id, page.bucket, page.epoch, page.seq,
  IF(h.cart NOT LIKE CONCAT(h.sku_id, '.', h.bucket, '.%') OR EXISTS (
    SELECT 1 FROM order_note n FORCE INDEX (PRIMARY)
    WHERE n.sku_id = h.sku_id AND n.bucket = h.bucket AND n.order_token = h.order_token
      AND n.pay_before > page.pay_before), NULL, h.order_token)
FROM (
  (SELECT pay_before, sku_id, bucket, epoch, seq
  FROM order_hold FORCE INDEX (order_hold_by_due)
  WHERE partition_id = ? AND pay_before <= ?
    AND (pay_before > ?
      OR (pay_before = ?
        AND (sku_id > ? OR (sku_id = ? AND (bucket > ? OR (bucket = ? AND (epoch > ? OR (epoch = ? AND seq > ?))))))))
  ORDER BY pay_before, sku_id, bucket, epoch, seq
  LIMIT ?)
  UNION ALL
  (SELECT pay_before, sku_id, bucket, epoch, seq
  FROM order_note FORCE INDEX (order_note_by_due)
  WHERE partition_id = ? AND pay_before > 0 AND pay_before <= ?
    AND (pay_before > ?
      OR (pay_before = ?
        AND (sku_id > ? OR (sku_id = ? AND (bucket > ? OR (bucket = ? AND (epoch > ? OR (epoch = ? AND seq > ?))))))))
  ORDER BY pay_before, sku_id, bucket, epoch, seq
  LIMIT ?)
  ORDER BY pay_before, sku_id, bucket, epoch, seq
  LIMIT ?) page
LEFT JOIN stock_move m
  ON m.sku_id = page.sku_id AND m.bucket = page.bucket AND m.epoch = page.epoch AND m.seq = page.seq AND m.step = 1
LEFT JOIN order_hold h
  ON h.sku_id = page.sku_id AND h.bucket = page.bucket AND h.epoch = page.epoch AND h.seq = page.seq
    AND m.step IS NULL
