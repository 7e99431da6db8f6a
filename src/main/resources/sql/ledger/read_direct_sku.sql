-- Reads what decides a request for a SKU that sells in the ledger alone.
-- PARAMETERS: sku_id
-- RETURNS: state, settings, sale_no, units of all buckets that nobody holds or has bought, the database's clock
-- INVARIANT: read after its buckets were locked: every change of the SKU locks them as well, so none is missed; one snapshot
SELECT i.state, i.settings, i.sale_no,
  (SELECT CAST(SUM(b.allotted - b.held - b.sold) AS SIGNED) FROM inventory_bucket b WHERE b.sku_id = i.sku_id),
  CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)
FROM inventory i
WHERE i.sku_id = ?
