-- Keeps the partitions that buckets leave.
-- PARAMETERS: partition_id, sku_id, bucket of each
-- RETURNS: nothing
-- INVARIANT: in the transaction that moves them; they are locked
INSERT IGNORE INTO former_place (partition_id, sku_id, bucket)
VALUES {rows 3}
