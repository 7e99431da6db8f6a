-- Lists the rejected orders of a buyer in the next slice of all.
-- PARAMETERS: after which to begin: sku_id twice, bucket twice, order_token; rows of the slice; user_id
-- RETURNS: sku_id, bucket, order_token, whether its sale has ended
-- INVARIANT: takes no lock; in the order of the primary key
SELECT slice.sku_id, slice.bucket, slice.order_token,
  i.state IN ('ENDED', 'ARCHIVED') OR slice.sale_no < i.sale_no
FROM (
  SELECT sku_id, bucket, order_token, step, user_id, sale_no
  FROM order_reject FORCE INDEX (PRIMARY)
  WHERE (sku_id > ? OR (sku_id = ? AND (bucket > ? OR (bucket = ? AND order_token > ?))))
  ORDER BY sku_id, bucket, order_token, step
  LIMIT ?) slice
JOIN inventory i ON i.sku_id = slice.sku_id
WHERE slice.user_id = ? AND slice.step = 1
