-- Raises the versions of a SKU's buckets, so that Redis accepts its new settings or state.
-- PARAMETERS: sku_id
-- RETURNS: rows found
-- INVARIANT: the version rises with each change of allotment, settings or state
UPDATE inventory_bucket
SET version = version + 1
WHERE sku_id = ?
