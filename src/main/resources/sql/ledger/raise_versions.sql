-- Raises the versions of all buckets of SKUs, so that Redis accepts their new settings or state.
-- PARAMETERS: sku_id of each
-- RETURNS: rows found
-- INVARIANT: the version rises with each change of allotment, settings or state
UPDATE inventory_bucket
SET version = version + 1
WHERE sku_id IN ({list})
