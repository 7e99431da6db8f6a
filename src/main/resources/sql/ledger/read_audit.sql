-- What the append-only rows say of a SKU, beside its counters.
-- PARAMETERS: sku_id, three times
-- RETURNS: sku_id, total, held, sold, and the counters' total, held, sold
-- INVARIANT: one statement, so one snapshot; the SKU is named inside, so the view reads its rows only
SELECT i.sku_id, COALESCE(v.total, 0), COALESCE(v.held, 0), COALESCE(v.sold, 0),
  c.total, c.held, c.sold
FROM inventory i
JOIN (
  SELECT sku_id, CAST(SUM(allotted) AS SIGNED) AS total, CAST(SUM(held) AS SIGNED) AS held,
    CAST(SUM(sold) AS SIGNED) AS sold
  FROM inventory_bucket
  WHERE sku_id = ?
  GROUP BY sku_id) c ON c.sku_id = i.sku_id
LEFT JOIN (SELECT sku_id, total, held, sold FROM inventory_view WHERE sku_id = ?) v
  ON v.sku_id = i.sku_id
WHERE i.sku_id = ?
