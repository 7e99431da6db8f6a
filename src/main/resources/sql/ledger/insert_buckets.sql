-- Creates the buckets of a SKU.
-- PARAMETERS: sku_id, bucket, partition_id, allotted of each
-- RETURNS: nothing
-- INVARIANT: epoch and version start at 1
INSERT INTO inventory_bucket (sku_id, bucket, partition_id, allotted)
VALUES {rows 4}
