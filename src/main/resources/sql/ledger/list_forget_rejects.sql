-- Lists the rejected orders of a buyer in the next slice of all, and the last one of a full slice.
-- PARAMETERS: user_id; after which to begin: sku_id twice, bucket twice, order_token; rows of the slice; user_id; rows of the
--   slice
-- RETURNS: sku_id, bucket, order_token, whether its sale has ended, whether it is the buyer's, its number in the slice
-- INVARIANT: as list_forget_holds.sql; a payment that came for an order is no order of its own
SELECT numbered.sku_id, numbered.bucket, numbered.order_token,
  i.state IN ('ENDED', 'ARCHIVED') OR numbered.sale_no < i.sale_no,
  numbered.user_id = ? AND numbered.step = 1,
  numbered.place
FROM (
  SELECT slice.sku_id, slice.bucket, slice.order_token, slice.step, slice.user_id, slice.sale_no,
    ROW_NUMBER() OVER (ORDER BY slice.sku_id, slice.bucket, slice.order_token, slice.step) AS place
  FROM (
    SELECT sku_id, bucket, order_token, step, user_id, sale_no
    FROM order_reject FORCE INDEX (PRIMARY)
    WHERE (sku_id > ? OR (sku_id = ? AND (bucket > ? OR (bucket = ? AND order_token > ?))))
    ORDER BY sku_id, bucket, order_token, step
    LIMIT ?) slice) numbered
JOIN inventory i ON i.sku_id = numbered.sku_id
WHERE (numbered.user_id = ? AND numbered.step = 1) OR numbered.place = ?
