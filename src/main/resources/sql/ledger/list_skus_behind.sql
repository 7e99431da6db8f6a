-- Lists some SKUs of a sale that do not have its last version.
-- PARAMETERS: sale_id, the sale's version, limit
-- RETURNS: sku_id
-- INVARIANT: the sale is locked, so that no other transaction makes them take it over
SELECT sku_id
FROM inventory FORCE INDEX (inventory_behind)
WHERE sale_id = ? AND sale_version < ?
LIMIT ?
