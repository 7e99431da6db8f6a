-- Begins the next sale of buckets that have ended.
-- PARAMETERS: a JSON array of [sku_id, bucket, partition_id, allotted, base, since_epoch, epoch, version, writes before]
-- RETURNS: rows found; must be the length of the array
-- INVARIANT: compare-and-set on locked rows, each found by its key; the epoch rises above since_epoch, so that no grant of
--   an earlier sale is booked any more
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (
  sku_id BIGINT PATH '$[0]',
  bucket INT PATH '$[1]',
  partition_id INT PATH '$[2]',
  allotted BIGINT PATH '$[3]',
  base BIGINT PATH '$[4]',
  since_epoch BIGINT PATH '$[5]',
  epoch BIGINT PATH '$[6]',
  version BIGINT PATH '$[7]',
  writes_before BIGINT PATH '$[8]')) AS begun
STRAIGHT_JOIN inventory_bucket AS kept FORCE INDEX (PRIMARY)
  ON kept.sku_id = begun.sku_id AND kept.bucket = begun.bucket
SET kept.partition_id = begun.partition_id, kept.allotted = begun.allotted, kept.base = begun.base,
  kept.since_epoch = begun.since_epoch, kept.epoch = begun.epoch, kept.version = begun.version, kept.ended = 0,
  kept.writes = begun.writes_before + 1
WHERE kept.writes = begun.writes_before AND kept.ended = 1
