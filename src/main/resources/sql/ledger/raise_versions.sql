-- Makes Redis take the SKU's new settings or state.
-- PARAMETERS: sku_id
-- RETURNS: rows found
-- INVARIANT: version rises with each change of allotment, settings or state
UPDATE inventory_bucket
SET version = version + 1
WHERE sku_id = ?
