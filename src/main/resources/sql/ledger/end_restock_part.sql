-- Records a bucket's answer to its part of a take-back.
-- PARAMETERS: status, sku_id, restock_id, bucket, round
-- RETURNS: 1 row found
-- INVARIANT: a part is answered once
UPDATE restock_part
SET status = ?
WHERE sku_id = ? AND restock_id = ? AND bucket = ? AND round = ? AND status = 'PENDING'
