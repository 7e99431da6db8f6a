-- Lists the rejected orders of a buyer in the next slice of all, and the last one of a full slice.
-- PARAMETERS: user_id; after which to begin: sku_id twice, bucket twice, order_token; rows of the slice; user_id; rows of the
--   slice; limit
-- RETURNS: as list_forget_holds.sql
-- INVARIANT: as list_forget_holds.sql; a payment that came for an order is no order of its own
SELECT r.sku_id, r.bucket, r.order_token, r.epoch, r.seq, r.sale_no, r.cart, r.user_id = ? AND r.step = 1, numbered.place
FROM (
  SELECT slice.sku_id, slice.bucket, slice.order_token, slice.step, slice.user_id,
    ROW_NUMBER() OVER (ORDER BY slice.sku_id, slice.bucket, slice.order_token, slice.step) AS place
  FROM (
    SELECT sku_id, bucket, order_token, step, user_id
    FROM order_reject FORCE INDEX (PRIMARY)
    WHERE (sku_id > ? OR (sku_id = ? AND (bucket > ? OR (bucket = ? AND order_token > ?))))
    ORDER BY sku_id, bucket, order_token, step
    LIMIT ?) slice) numbered
STRAIGHT_JOIN order_reject r FORCE INDEX (PRIMARY)
  ON r.sku_id = numbered.sku_id AND r.bucket = numbered.bucket AND r.order_token = numbered.order_token
    AND r.step = numbered.step
WHERE (numbered.user_id = ? AND numbered.step = 1) OR numbered.place = ?
ORDER BY numbered.place
LIMIT ?
