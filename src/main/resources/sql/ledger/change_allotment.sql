-- Adds units to a bucket, or takes them away.
-- PARAMETERS: units, sku_id, bucket
-- RETURNS: 1 row found
-- INVARIANT: the version rises, so Redis takes the new ceiling; CHECK keeps held + sold <= allotted
UPDATE inventory_bucket
SET allotted = allotted + ?, version = version + 1
WHERE sku_id = ? AND bucket = ?
