-- Forgets that buckets have left partitions in which they are again.
-- PARAMETERS: a JSON array of [partition_id, sku_id, bucket]
-- RETURNS: rows deleted
-- INVARIANT: in the transaction that moves them; they are locked
DELETE kept
FROM JSON_TABLE(?, '$[*]' COLUMNS (
  partition_id INT PATH '$[0]',
  sku_id BIGINT PATH '$[1]',
  bucket INT PATH '$[2]')) AS back
STRAIGHT_JOIN former_place AS kept FORCE INDEX (PRIMARY)
  ON kept.partition_id = back.partition_id AND kept.sku_id = back.sku_id AND kept.bucket = back.bucket
