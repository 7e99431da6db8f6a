-- Gives the payments and refunds of archived orders other names.
-- PARAMETERS: salt; sku_id, bucket, epoch, seq of each order
-- RETURNS: rows changed
-- INVARIANT: as forget_holds.sql; names of an order that are the same, or differ, do so afterwards
UPDATE archive_move FORCE INDEX (PRIMARY)
SET reference = CONCAT('forgotten-', LEFT(SHA2(CONCAT(?, reference), 256), 32))
WHERE (sku_id, bucket, epoch, seq) IN ({rows 4}) AND reference IS NOT NULL
