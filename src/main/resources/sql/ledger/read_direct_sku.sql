-- Reads what decides requests for a SKU that sells in the ledger alone, of these buckets.
-- PARAMETERS: sku_id, three times; bucket of each
-- RETURNS: state, settings, sale_no, units of all buckets that nobody holds or has bought, the database's clock;
--   bucket, seq of its last hold in its epoch, 0 where there is none
-- INVARIANT: read after the buckets were locked: every change of the SKU locks them as well, so none is missed; one
--   snapshot; the last entry of the primary key, not a scan
SELECT i.state, i.settings, i.sale_no,
  (SELECT CAST(SUM(a.allotted - a.held - a.sold) AS SIGNED) FROM inventory_bucket a WHERE a.sku_id = ?),
  CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED),
  b.bucket,
  COALESCE((SELECT h.seq FROM order_hold h FORCE INDEX (PRIMARY)
    WHERE h.sku_id = b.sku_id AND h.bucket = b.bucket AND h.epoch = b.epoch
    ORDER BY h.seq DESC LIMIT 1), 0)
FROM inventory i
STRAIGHT_JOIN inventory_bucket b FORCE INDEX (PRIMARY)
WHERE i.sku_id = ? AND b.sku_id = ? AND b.bucket IN ({list})
