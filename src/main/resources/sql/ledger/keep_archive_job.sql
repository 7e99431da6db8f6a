-- Keeps how far the orders of a SKU are moved to the archive.
-- PARAMETERS: bucket, epoch, seq, left_behind, due_at or null, sku_id
-- RETURNS: 1 row found
-- INVARIANT: in the transaction that has moved them
UPDATE archive_job
SET bucket = ?, epoch = ?, seq = ?, left_behind = ?, due_at = ?
WHERE sku_id = ?
