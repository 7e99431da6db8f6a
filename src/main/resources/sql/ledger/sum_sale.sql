-- Sums up the SKUs of a sale and their buckets, by the stored states of the SKUs.
-- PARAMETERS: sale_id, twice
-- RETURNS: state, SKUs, those of them that do not have the sale's last version, allotted, held, sold
-- INVARIANT: one snapshot; without the units of earlier sales of these SKUs, and with those of this sale of SKUs that have left it
SELECT one.state, COUNT(*), CAST(SUM(one.behind) AS SIGNED), CAST(SUM(one.allotted) AS SIGNED),
  CAST(SUM(one.held) AS SIGNED), CAST(SUM(one.sold) AS SIGNED)
FROM (
  SELECT i.sku_id AS sku_id, i.state AS state, i.sale_version < s.version AS behind, SUM(b.allotted - b.base) AS allotted,
    SUM(b.held) AS held, SUM(b.sold - b.base) AS sold
  FROM sale s
  STRAIGHT_JOIN inventory i FORCE INDEX (inventory_by_sale) ON i.sale_id = s.sale_id
  STRAIGHT_JOIN inventory_bucket b FORCE INDEX (PRIMARY) ON b.sku_id = i.sku_id
  WHERE s.sale_id = ?
  GROUP BY i.sku_id, i.state, i.sale_version < s.version
  UNION ALL
  SELECT e.sku_id, e.state, 0, e.total_stock - e.base, 0, e.sold
  FROM earlier_sale e FORCE INDEX (earlier_sale_by_sale)
  WHERE e.sale_id = ?) AS one
GROUP BY one.state
