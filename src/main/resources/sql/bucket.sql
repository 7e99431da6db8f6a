-- name: change_allotment
-- Adds units to a bucket's allotment, or subtracts them.
-- PARAMETERS: units, sku_id, bucket
-- RETURNS: 1 row found
-- INVARIANT: the version rises, so that Redis accepts the new total, and so does the number of writes, for its row;
--   CHECK keeps held + sold <= allotted
UPDATE inventory_bucket
SET allotted = allotted + ?, version = version + 1, writes = writes + 1
WHERE sku_id = ? AND bucket = ?

-- name: delete_former_places
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

-- name: end_bucket
-- Ends a bucket, once nothing of it is held.
-- PARAMETERS: sku_id, bucket
-- RETURNS: 1 row found where it ends now
-- INVARIANT: its SKU is locked, and ENDING; its epoch was raised in the same transaction, so no grant of before is booked
--   any more
UPDATE inventory_bucket
SET ended = 1
WHERE sku_id = ? AND bucket = ? AND held = 0 AND ended = 0

-- name: insert_buckets
-- Creates the buckets of a SKU.
-- PARAMETERS: partition_id, sku_id, bucket, allotted, epoch, version, since_epoch of each
-- RETURNS: nothing
-- INVARIANT: epoch and version start at 1, or behind those of a deleted SKU that had the id
INSERT INTO inventory_bucket (partition_id, sku_id, bucket, allotted, epoch, version, since_epoch)
VALUES {rows 7}

-- name: keep_former_places
-- Keeps the partitions that buckets leave.
-- PARAMETERS: partition_id, sku_id, bucket of each
-- RETURNS: nothing
-- INVARIANT: in the transaction that moves them; they are locked
INSERT IGNORE INTO former_place (partition_id, sku_id, bucket)
VALUES {rows 3}

-- name: list_buckets
-- Lists a page of a partition's buckets that have not ended.
-- PARAMETERS: partition_id (-1: of SKUs that sell in the ledger alone), sku_id after which to begin, the same again, bucket
--   after which to begin, limit
-- RETURNS: sku_id, bucket, partition_id, allotted, held, sold, epoch, version, state, settings, sale_no,
--   base, since_epoch, withdrawn, the total in Redis of all buckets of the SKU (null where it
--   has only one), whether its sale has carts
-- INVARIANT: in key order; reads no bucket behind the page, however many the SKUs have
SELECT b.sku_id, b.bucket, b.partition_id, b.allotted, b.held, b.sold, b.epoch, b.version,
  CASE WHEN b.ended = 1 AND i.state <> 'ARCHIVED' THEN 'ENDED' ELSE i.state END, i.settings, i.sale_no,
  b.base, b.since_epoch, b.withdrawn,
  CASE WHEN i.buckets > 1 THEN
    (SELECT CAST(SUM(u.allotted - u.base + u.withdrawn) AS SIGNED) FROM inventory_bucket u WHERE u.sku_id = b.sku_id) END, COALESCE(s.carts, 0)
FROM inventory_bucket b FORCE INDEX (inventory_bucket_by_end)
STRAIGHT_JOIN inventory i ON i.sku_id = b.sku_id
LEFT JOIN sale s ON s.sale_id = i.sale_id
WHERE b.partition_id = ? AND (b.sku_id > ? OR (b.sku_id = ? AND b.bucket > ?)) AND b.ended = 0
  AND (i.mode = 'FAST' OR b.partition_id = -1)
ORDER BY b.sku_id, b.bucket
LIMIT ?

-- name: list_buckets_of_same_sale
-- Lists a page of a partition's buckets that have not ended, of SKUs in the same sale as one.
-- PARAMETERS: that sku_id, partition_id, sku_id after which to begin, the same again, bucket after which to begin, limit
-- RETURNS: sku_id, bucket
-- INVARIANT: in key order; nothing where the SKU is in no sale
SELECT b.sku_id, b.bucket
FROM inventory one
JOIN inventory i FORCE INDEX (inventory_by_sale) ON i.sale_id = one.sale_id
JOIN inventory_bucket b FORCE INDEX (PRIMARY) ON b.sku_id = i.sku_id
WHERE one.sku_id = ? AND b.partition_id = ? AND (b.sku_id > ? OR (b.sku_id = ? AND b.bucket > ?)) AND b.ended = 0
ORDER BY b.sku_id, b.bucket
LIMIT ?

-- name: list_gone_buckets
-- Lists a page of the buckets that are gone from a partition: those that have ended, and those that were there before and are
-- elsewhere now, or deleted.
-- PARAMETERS: partition_id, sku_id after which to begin, the same again, bucket after which to begin, limit; the same five
--   again; limit
-- RETURNS: sku_id, bucket
-- INVARIANT: in key order, none twice
SELECT sku_id, bucket
FROM (
  (SELECT sku_id, bucket
  FROM inventory_bucket
  WHERE partition_id = ? AND ended = 1 AND (sku_id > ? OR (sku_id = ? AND bucket > ?))
  ORDER BY sku_id, bucket
  LIMIT ?)
  UNION ALL
  (SELECT former.sku_id, former.bucket
  FROM former_place AS former
  LEFT JOIN inventory_bucket AS kept FORCE INDEX (PRIMARY)
    ON kept.sku_id = former.sku_id AND kept.bucket = former.bucket
  WHERE former.partition_id = ? AND (former.sku_id > ? OR (former.sku_id = ? AND former.bucket > ?))
    AND (kept.partition_id IS NULL OR kept.partition_id <> former.partition_id)
  ORDER BY former.sku_id, former.bucket
  LIMIT ?)
) AS gone
ORDER BY sku_id, bucket
LIMIT ?

-- name: lock_buckets
-- Reads and locks bucket rows.
-- PARAMETERS: sku_id and bucket of each
-- RETURNS: sku_id, bucket, partition_id, allotted, held, sold, epoch, version, writes, rejects, notes, archived, base,
--   since_epoch, withdrawn
-- INVARIANT: every transaction locks in key order, so two never wait for each other; the index is
--   forced, because a scan would also wait for rows of other owners
SELECT sku_id, bucket, partition_id, allotted, held, sold, epoch, version, writes, rejects, notes, archived, base,
  since_epoch, withdrawn
FROM inventory_bucket FORCE INDEX (PRIMARY)
WHERE {buckets}
ORDER BY sku_id, bucket
FOR UPDATE

-- name: lock_ended_buckets
-- Reads and locks the bucket rows of SKUs that have ended.
-- PARAMETERS: sku_id of each
-- RETURNS: as of lock_sku_buckets
-- INVARIANT: locked in key order, after the rows of the SKUs
SELECT sku_id, bucket, partition_id, allotted, held, sold, epoch, version, writes, rejects, notes, archived, base,
  since_epoch, withdrawn
FROM inventory_bucket FORCE INDEX (PRIMARY)
WHERE sku_id IN ({list}) AND ended = 1
ORDER BY sku_id, bucket
FOR UPDATE

-- name: lower_sold
-- Lowers what the sale of an order of a SKU has sold, if that is an earlier one.
-- PARAMETERS: units, sku_id, sale_no
-- RETURNS: 1 row found; none where the SKU sold on its own then
-- INVARIANT: in the transaction that takes these units out of the stock
UPDATE earlier_sale
SET sold = sold - ?
WHERE sku_id = ? AND sale_no = ?

-- name: raise_epoch
-- Starts a new epoch of a bucket.
-- PARAMETERS: epoch in Redis, sku_id, bucket, partition_id
-- RETURNS: 1 row found
-- INVARIANT: grants of older epochs are dropped from now on, also of epochs that only Redis knows
--   because the ledger was restored to an earlier state; holds that were booked past the log may have a higher one
UPDATE inventory_bucket
SET epoch = GREATEST(epoch, ?, COALESCE((
  SELECT h.epoch FROM order_hold h FORCE INDEX (PRIMARY)
  WHERE h.sku_id = inventory_bucket.sku_id AND h.bucket = inventory_bucket.bucket
  ORDER BY h.sku_id DESC, h.bucket DESC, h.epoch DESC, h.seq DESC LIMIT 1), 0)) + 1
WHERE sku_id = ? AND bucket = ? AND partition_id = ?

-- name: read_bucket
-- Reads one bucket, with the state and settings of its SKU.
-- PARAMETERS: sku_id, bucket
-- RETURNS: sku_id, bucket, partition_id, allotted, held, sold, epoch, version, state (ENDED once the bucket is), settings,
--   sale_no, base, since_epoch, withdrawn, the total in Redis of all buckets of the SKU (null where it
--   has only one), whether its sale has carts
-- INVARIANT: one snapshot of both rows
SELECT b.sku_id, b.bucket, b.partition_id, b.allotted, b.held, b.sold, b.epoch, b.version,
  CASE WHEN b.ended = 1 AND i.state <> 'ARCHIVED' THEN 'ENDED' ELSE i.state END, i.settings, i.sale_no,
  b.base, b.since_epoch, b.withdrawn,
  CASE WHEN i.buckets > 1 THEN
    (SELECT CAST(SUM(u.allotted - u.base + u.withdrawn) AS SIGNED) FROM inventory_bucket u WHERE u.sku_id = b.sku_id) END, COALESCE(s.carts, 0)
FROM inventory_bucket b
JOIN inventory i ON i.sku_id = b.sku_id
LEFT JOIN sale s ON s.sale_id = i.sale_id
WHERE b.sku_id = ? AND b.bucket = ?

-- name: read_claims
-- Reads which orders have these places.
-- PARAMETERS: sku_id, bucket, epoch, seq of each
-- RETURNS: sku_id, bucket, order_token, epoch, seq
-- INVARIANT: read after the buckets are locked, so no further place of theirs is taken
SELECT sku_id, bucket, order_token, epoch, seq
FROM order_hold FORCE INDEX (PRIMARY)
WHERE (sku_id, bucket, epoch, seq) IN ({rows 4})

-- name: update_counters
-- Writes the counters of a batch's buckets.
-- PARAMETERS: a JSON array of [sku_id, bucket, held, sold, held before, sold before, epoch, writes before,
--   orders rejected by this batch, notes added by it, units of earlier sales that came back,
--   units of the current sale that were withdrawn, units gathered from other buckets of the SKU, by how much the version rises]
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
  withdrawn BIGINT PATH '$[11]',
  gathered BIGINT PATH '$[12]',
  raised BIGINT PATH '$[13]')) AS counted
STRAIGHT_JOIN inventory_bucket AS kept FORCE INDEX (PRIMARY)
  ON kept.sku_id = counted.sku_id AND kept.bucket = counted.bucket
SET kept.held = counted.held, kept.sold = counted.sold, kept.epoch = counted.epoch,
  kept.writes = counted.writes_before + 1, kept.rejects = kept.rejects + counted.rejected,
  kept.notes = kept.notes + counted.noted, kept.allotted = kept.allotted - counted.returned - counted.withdrawn + counted.gathered,
  kept.withdrawn = kept.withdrawn + counted.withdrawn,
  kept.base = kept.base - counted.returned, kept.version = kept.version + counted.raised
WHERE kept.held = counted.held_before AND kept.sold = counted.sold_before AND kept.writes = counted.writes_before
