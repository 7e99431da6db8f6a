-- Sums a slice of a SKU's changes of allotments.
-- PARAMETERS: by bucket, the last write that counts; sku_id, row_token after which to begin, limit
-- RETURNS: rows, units of those that count, the last row_token
-- INVARIANT: in the order of the primary key; at most limit entries are read
SELECT COUNT(*),
  CAST(COALESCE(SUM(
    CASE WHEN slice.write_no <= CAST(ELT(slice.bucket + 1, {list}) AS SIGNED) THEN slice.qty ELSE 0 END), 0) AS SIGNED),
  MAX(slice.row_token)
FROM (
  SELECT bucket, row_token, qty, write_no
  FROM restock_row
  WHERE sku_id = ? AND row_token > ?
  ORDER BY row_token
  LIMIT ?) slice
