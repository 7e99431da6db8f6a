-- Adds units to a bucket's allotment, or subtracts them.
-- PARAMETERS: units, sku_id, bucket
-- RETURNS: 1 row found
-- INVARIANT: the version rises, so that Redis accepts the new total, and so does the number of writes, for its row;
--   CHECK keeps held + sold <= allotted
UPDATE inventory_bucket
SET allotted = allotted + ?, version = version + 1, writes = writes + 1
WHERE sku_id = ? AND bucket = ?
