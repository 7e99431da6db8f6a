-- Reads how far the orders of a SKU are moved to the archive.
-- PARAMETERS: sku_id
-- RETURNS: sale_no, bucket, epoch, seq, left_behind, due_at
-- INVARIANT: read and written only while the SKU is locked
SELECT sale_no, bucket, epoch, seq, left_behind, due_at
FROM archive_job
WHERE sku_id = ?
