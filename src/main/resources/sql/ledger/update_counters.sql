-- Writes what a batch left of a bucket.
-- PARAMETERS: held, sold, sku_id, bucket, held before, sold before
-- RETURNS: 1 row found
-- INVARIANT: compare-and-set on the locked row; CHECK keeps held + sold <= allotted
UPDATE inventory_bucket
SET held = ?, sold = ?
WHERE sku_id = ? AND bucket = ? AND held = ? AND sold = ?
