-- Lists all parts of a take-back.
-- PARAMETERS: sku_id, restock_id
-- RETURNS: bucket, round, units, status
-- INVARIANT: read while its SKU is locked; in the order of rounds
SELECT bucket, round, units, status
FROM restock_part
WHERE sku_id = ? AND restock_id = ?
ORDER BY round, bucket
