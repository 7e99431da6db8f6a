-- Writes the counters of a batch's buckets.
-- PARAMETERS: a JSON array of [sku_id, bucket, held, sold, held before, sold before, epoch, writes before,
--   orders rejected by this batch, notes added by it, units of earlier sales that came back,
--   units gathered from other buckets of the SKU, by how much the version rises]
-- RETURNS: rows found; must be the length of the array
-- INVARIANT: compare-and-set on locked rows, each found by its key; CHECK keeps held + sold <= allotted; with the
--   allotment the version rises, so that Redis accepts the new total
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (
  sku_id BIGINT PATH '$[0]',
  bucket INT PATH '$[1]',
  held BIGINT PATH '$[2]',
  sold BIGINT PATH '$[3]',
  held_before BIGINT PATH '$[4]',
  sold_before BIGINT PATH '$[5]',
  epoch BIGINT PATH '$[6]',
  writes_before BIGINT PATH '$[7]',
  rejected BIGINT PATH '$[8]',
  noted BIGINT PATH '$[9]',
  returned BIGINT PATH '$[10]',
  gathered BIGINT PATH '$[11]',
  raised BIGINT PATH '$[12]')) AS counted
STRAIGHT_JOIN inventory_bucket AS kept FORCE INDEX (PRIMARY)
  ON kept.sku_id = counted.sku_id AND kept.bucket = counted.bucket
SET kept.held = counted.held, kept.sold = counted.sold, kept.epoch = counted.epoch,
  kept.writes = counted.writes_before + 1, kept.rejects = kept.rejects + counted.rejected,
  kept.notes = kept.notes + counted.noted, kept.allotted = kept.allotted - counted.returned + counted.gathered,
  kept.base = kept.base - counted.returned, kept.version = kept.version + counted.raised
WHERE kept.held = counted.held_before AND kept.sold = counted.sold_before AND kept.writes = counted.writes_before
