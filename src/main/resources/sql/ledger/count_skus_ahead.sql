-- Counts the SKUs of a sale that have not ended, and those that are not archived.
-- PARAMETERS: sale_id
-- RETURNS: SKUs that have not ended, SKUs that are not archived
-- INVARIANT: the sale is locked, so that none joins
SELECT CAST(COALESCE(SUM(state NOT IN ('ENDED', 'ARCHIVED')), 0) AS SIGNED),
  CAST(COALESCE(SUM(state <> 'ARCHIVED'), 0) AS SIGNED)
FROM inventory FORCE INDEX (inventory_by_sale)
WHERE sale_id = ?
