-- Adds the rejected orders of a page of format 1 to the numbers of their buckets.
-- PARAMETERS: last order_token of the page before, and of the page
-- RETURNS: rows changed
-- INVARIANT: in the transaction that deletes the page from its table
UPDATE inventory_bucket b
JOIN (
  SELECT sku_id, bucket, COUNT(*) AS rejected
  FROM orders_v1
  WHERE order_token > ? AND order_token <= ? AND status = 'REJECTED'
  GROUP BY sku_id, bucket) o ON o.sku_id = b.sku_id AND o.bucket = b.bucket
SET b.rejects = b.rejects + o.rejected
