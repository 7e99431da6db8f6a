-- Asks for the orders of a SKU to be moved to the archive, or for those of more sales.
-- PARAMETERS: sku_id, sale_no, now
-- RETURNS: nothing
-- INVARIANT: begins with the first bucket; the caller has seen that there is no job for as many sales
INSERT INTO archive_job (sku_id, sale_no, due_at)
VALUES (?, ?, ?)
ON DUPLICATE KEY UPDATE sale_no = VALUES(sale_no), due_at = VALUES(due_at), bucket = 0, epoch = 0, seq = 0, left_behind = 0
