-- Finds the last of the next rejected orders of a bucket that are moved to the archive.
-- PARAMETERS: sku_id, bucket, sale_no, limit
-- RETURNS: order_token, null where there is none
-- INVARIANT: in the order of the primary key; the bucket is locked
SELECT MAX(page.order_token)
FROM (
  SELECT order_token
  FROM order_reject FORCE INDEX (PRIMARY)
  WHERE sku_id = ? AND bucket = ? AND sale_no <= ?
  ORDER BY order_token
  LIMIT ?) page
