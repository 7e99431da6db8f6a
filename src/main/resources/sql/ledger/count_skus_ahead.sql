-- Counts the SKUs of a sale that have not ended, and those that are not archived.
-- PARAMETERS: sale_id, twice
-- RETURNS: SKUs that have not ended, SKUs that are not archived
-- INVARIANT: the sale is locked, so that none joins; one that has left it has ended, and its orders may not be archived
SELECT CAST(SUM(one.unended) AS SIGNED), CAST(SUM(one.unarchived) AS SIGNED)
FROM (
  SELECT COALESCE(SUM(state NOT IN ('ENDED', 'ARCHIVED')), 0) AS unended, COALESCE(SUM(state <> 'ARCHIVED'), 0) AS unarchived
  FROM inventory FORCE INDEX (inventory_by_sale)
  WHERE sale_id = ?
  UNION ALL
  SELECT 0, COALESCE(SUM(state <> 'ARCHIVED'), 0)
  FROM earlier_sale FORCE INDEX (earlier_sale_by_sale)
  WHERE sale_id = ?) AS one
