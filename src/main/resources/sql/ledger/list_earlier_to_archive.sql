-- Lists some SKUs that have left a sale, and whose orders of it were not asked to be archived.
-- PARAMETERS: sale_id, limit
-- RETURNS: sku_id, sale_no
-- INVARIANT: in id order; the sale is locked, and has ended, so none joins it
SELECT e.sku_id, e.sale_no
FROM earlier_sale e FORCE INDEX (earlier_sale_by_sale)
WHERE e.sale_id = ? AND e.state = 'ENDED'
  AND NOT EXISTS (SELECT 1 FROM archive_job j FORCE INDEX (PRIMARY)
    WHERE j.sku_id = e.sku_id AND j.sale_no >= e.sale_no)
ORDER BY e.sku_id
LIMIT ?
