-- Updates the columns of a SKU that may change.
-- PARAMETERS: total_stock, settings, state, thawed_state, frozen_by_sale, sale_version, sku_id
-- RETURNS: 1 row found
-- INVARIANT: total_stock is the sum of the buckets' allotments
UPDATE inventory
SET total_stock = ?, settings = ?, state = ?, thawed_state = ?, frozen_by_sale = ?, sale_version = ?
WHERE sku_id = ?
