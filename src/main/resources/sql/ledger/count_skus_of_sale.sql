-- Counts the SKUs of a sale, those that have left it included.
-- PARAMETERS: sale_id, twice
-- RETURNS: one number
-- INVARIANT: the sale is locked, so that none joins; one that leaves it meanwhile may be counted twice, and is never left out
SELECT (SELECT COUNT(*) FROM inventory FORCE INDEX (inventory_by_sale) WHERE sale_id = ?)
  + (SELECT COUNT(*) FROM earlier_sale FORCE INDEX (earlier_sale_by_sale) WHERE sale_id = ?)
