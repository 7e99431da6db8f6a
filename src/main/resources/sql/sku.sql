-- name: insert_skus
-- Creates SKUs.
-- PARAMETERS: sku_id, first_stock, total_stock, settings, state, thawed_state, sale_no, sale_id, frozen_by_sale,
--   sale_version, buckets, mode of each
-- RETURNS: nothing; a duplicate key if one was inserted concurrently
-- INVARIANT: buckets and mode never change
INSERT INTO inventory (
  sku_id, first_stock, total_stock, settings, state, thawed_state, sale_no, sale_id, frozen_by_sale, sale_version,
  buckets, mode)
VALUES {rows 12}

-- name: keep_sku_names
-- Writes down what SKUs are called.
-- PARAMETERS: sku_id, name of each
-- RETURNS: rows written
-- INVARIANT: the SKUs are locked
INSERT INTO sku_name (sku_id, name)
VALUES {rows 2}
ON DUPLICATE KEY UPDATE name = VALUES(name)

-- name: keep_watermarks
-- Writes down the watermarks that SKUs have passed.
-- PARAMETERS: per row sku_id, below, crossings
-- RETURNS: rows written
-- INVARIANT: the fence of the SKU's first bucket is locked, and crossings rises
INSERT INTO watermark (sku_id, below, crossings)
VALUES {rows 3}
ON DUPLICATE KEY UPDATE
  below = VALUES(below),
  crossings = VALUES(crossings)

-- name: list_marked_stocks
-- Lists a page of the SKUs whose first bucket is in a partition and that have not begun to end, with what they have left.
-- PARAMETERS: partition_id, sku_id after which to begin, limit
-- RETURNS: sku_id, units, those held and sold, settings, below, crossings, sale_id
-- INVARIANT: in key order; one snapshot of all buckets of a SKU; without the units of its earlier sales
SELECT f.sku_id,
  (SELECT CAST(SUM(b.allotted - b.base) AS SIGNED) FROM inventory_bucket b WHERE b.sku_id = f.sku_id),
  (SELECT CAST(SUM(b.held + b.sold - b.base) AS SIGNED) FROM inventory_bucket b WHERE b.sku_id = f.sku_id),
  i.settings, COALESCE(w.below, 0), COALESCE(w.crossings, 0), i.sale_id
FROM inventory_bucket f FORCE INDEX (inventory_bucket_by_end)
STRAIGHT_JOIN inventory i ON i.sku_id = f.sku_id
LEFT JOIN watermark w FORCE INDEX (PRIMARY) ON w.sku_id = f.sku_id
WHERE f.partition_id = ? AND f.ended = 0 AND f.sku_id > ? AND f.bucket = 0 AND i.state NOT IN ('ENDING', 'ENDED', 'ARCHIVED')
ORDER BY f.sku_id
LIMIT ?

-- name: list_sku_buckets
-- Lists all buckets of SKUs, with the state and settings of each SKU.
-- PARAMETERS: sku_id of each
-- RETURNS: sku_id, bucket, partition_id, allotted, held, sold, epoch, version, state (ENDED once the bucket is), settings,
--   sale_no, base, since_epoch, withdrawn, the total in Redis of all buckets of the SKU (null where it
--   has only one), whether its sale has carts
-- INVARIANT: one snapshot; in key order
SELECT b.sku_id, b.bucket, b.partition_id, b.allotted, b.held, b.sold, b.epoch, b.version,
  CASE WHEN b.ended = 1 AND i.state <> 'ARCHIVED' THEN 'ENDED' ELSE i.state END, i.settings, i.sale_no,
  b.base, b.since_epoch, b.withdrawn,
  CASE WHEN i.buckets > 1 THEN CAST(SUM(b.allotted - b.base + b.withdrawn) OVER (PARTITION BY b.sku_id) AS SIGNED) END, COALESCE(s.carts, 0)
FROM inventory_bucket b
JOIN inventory i ON i.sku_id = b.sku_id
LEFT JOIN sale s ON s.sale_id = i.sale_id
WHERE b.sku_id IN ({list})
ORDER BY b.sku_id, b.bucket

-- name: list_skus
-- Lists a page of SKUs.
-- PARAMETERS: sku_id after which to begin, limit
-- RETURNS: sku_id, first_stock, total_stock, buckets, mode, settings, state, thawed_state, and as a JSON object the
--   partition of each bucket; sale_no, sale_id, frozen_by_sale, sale_version,
--   units of earlier sales, name
-- INVARIANT: in id order
SELECT sku_id, first_stock, total_stock, buckets, mode, settings, state, thawed_state,
  (SELECT CAST(JSON_OBJECTAGG(b.bucket, b.partition_id) AS CHAR) FROM inventory_bucket b
   WHERE b.sku_id = inventory.sku_id) AS placement,
  sale_no, sale_id, frozen_by_sale, sale_version,
  (SELECT CAST(SUM(u.base) AS SIGNED) FROM inventory_bucket u WHERE u.sku_id = inventory.sku_id) AS base,
  (SELECT n.name FROM sku_name n WHERE n.sku_id = inventory.sku_id) AS name
FROM inventory
WHERE sku_id > ?
ORDER BY sku_id
LIMIT ?

-- name: list_skus_behind
-- Lists some SKUs of a sale that do not have its last version.
-- PARAMETERS: sale_id, the sale's version, limit
-- RETURNS: sku_id
-- INVARIANT: the sale is locked, so that no other transaction makes them take it over
SELECT sku_id
FROM inventory FORCE INDEX (inventory_behind)
WHERE sale_id = ? AND sale_version < ?
LIMIT ?

-- name: list_skus_to_end
-- Lists some SKUs of a sale that can begin to end.
-- PARAMETERS: sale_id, limit
-- RETURNS: sku_id
-- INVARIANT: in id order; leaves out those that have to wait, so that they keep none of the others waiting; asked for one
--   value, since MySQL and MariaDB may read all restocks for NOT EXISTS
SELECT sku_id
FROM inventory FORCE INDEX (inventory_by_sale)
WHERE sale_id = ? AND state IN ('SCHEDULED', 'OPEN', 'CLOSED')
  AND (SELECT 1 FROM restock r FORCE INDEX (restock_by_status)
    WHERE r.sku_id = inventory.sku_id AND r.status = 'WORKING'
    LIMIT 1) IS NULL
ORDER BY sku_id
LIMIT ?

-- name: lock_sku
-- Reads and locks a SKU.
-- PARAMETERS: sku_id
-- RETURNS: sku_id, first_stock, total_stock, buckets, mode, settings, state, thawed_state, and as a JSON object the
--   partition of each bucket; sale_no, sale_id, frozen_by_sale, sale_version,
--   units of earlier sales, name
-- INVARIANT: every transaction that changes the SKU and its buckets locks the SKU first
SELECT sku_id, first_stock, total_stock, buckets, mode, settings, state, thawed_state,
  (SELECT CAST(JSON_OBJECTAGG(b.bucket, b.partition_id) AS CHAR) FROM inventory_bucket b
   WHERE b.sku_id = inventory.sku_id) AS placement,
  sale_no, sale_id, frozen_by_sale, sale_version,
  (SELECT CAST(SUM(u.base) AS SIGNED) FROM inventory_bucket u WHERE u.sku_id = inventory.sku_id) AS base,
  (SELECT n.name FROM sku_name n WHERE n.sku_id = inventory.sku_id) AS name
FROM inventory
WHERE sku_id = ?
FOR UPDATE

-- name: lock_sku_buckets
-- Reads and locks all bucket rows of a SKU.
-- PARAMETERS: sku_id
-- RETURNS: sku_id, bucket, partition_id, allotted, held, sold, epoch, version, writes, rejects, notes, archived, base,
--   since_epoch, withdrawn
-- INVARIANT: locked in key order, after the SKU's own row
SELECT sku_id, bucket, partition_id, allotted, held, sold, epoch, version, writes, rejects, notes, archived, base,
  since_epoch, withdrawn
FROM inventory_bucket FORCE INDEX (PRIMARY)
WHERE sku_id = ?
ORDER BY bucket
FOR UPDATE

-- name: lock_skus
-- Reads and locks SKUs.
-- PARAMETERS: sku_id of each
-- RETURNS: sku_id, first_stock, total_stock, buckets, mode, settings, state, thawed_state, and as a JSON object the
--   partition of each bucket; sale_no, sale_id, frozen_by_sale, sale_version,
--   units of earlier sales, name
-- INVARIANT: in id order, before the buckets
SELECT sku_id, first_stock, total_stock, buckets, mode, settings, state, thawed_state,
  (SELECT CAST(JSON_OBJECTAGG(b.bucket, b.partition_id) AS CHAR) FROM inventory_bucket b
   WHERE b.sku_id = inventory.sku_id) AS placement,
  sale_no, sale_id, frozen_by_sale, sale_version,
  (SELECT CAST(SUM(u.base) AS SIGNED) FROM inventory_bucket u WHERE u.sku_id = inventory.sku_id) AS base,
  (SELECT n.name FROM sku_name n WHERE n.sku_id = inventory.sku_id) AS name
FROM inventory FORCE INDEX (PRIMARY)
WHERE sku_id IN ({list})
ORDER BY sku_id
FOR UPDATE

-- name: lower_total
-- Lowers the total of a SKU by units of refunded orders that have left the stock.
-- PARAMETERS: units, sku_id
-- RETURNS: 1 row found
-- INVARIANT: total_stock is the sum of the buckets' allotments, which fall in the same transaction
UPDATE inventory
SET total_stock = total_stock - ?
WHERE sku_id = ?

-- name: note_freeze
-- Records why a SKU was frozen.
-- PARAMETERS: freeze_reason, sku_id
-- RETURNS: 1 row found
-- INVARIANT: -
UPDATE inventory
SET freeze_reason = ?
WHERE sku_id = ?

-- name: note_taken_over
-- Notes that all SKUs of a sale have its last version.
-- PARAMETERS: sale_id
-- RETURNS: 1 row found
-- INVARIANT: the sale is locked, and no SKU of it is behind
UPDATE sale
SET behind = 0
WHERE sale_id = ?

-- name: raise_versions
-- Raises the versions of all buckets of SKUs, so that Redis accepts their new settings or state.
-- PARAMETERS: sku_id of each
-- RETURNS: rows found
-- INVARIANT: the version rises with each change of allotment, settings or state
UPDATE inventory_bucket FORCE INDEX (PRIMARY)
SET version = version + 1
WHERE sku_id IN ({list})

-- name: read_skus
-- Reads SKUs by id.
-- PARAMETERS: sku_id of each
-- RETURNS: sku_id, first_stock, total_stock, buckets, mode, settings, state, thawed_state, and as a JSON object the
--   partition of each bucket; sale_no, sale_id, frozen_by_sale, sale_version,
--   units of earlier sales, name
-- INVARIANT: -
SELECT sku_id, first_stock, total_stock, buckets, mode, settings, state, thawed_state,
  (SELECT CAST(JSON_OBJECTAGG(b.bucket, b.partition_id) AS CHAR) FROM inventory_bucket b
   WHERE b.sku_id = inventory.sku_id) AS placement,
  sale_no, sale_id, frozen_by_sale, sale_version,
  (SELECT CAST(SUM(u.base) AS SIGNED) FROM inventory_bucket u WHERE u.sku_id = inventory.sku_id) AS base,
  (SELECT n.name FROM sku_name n WHERE n.sku_id = inventory.sku_id) AS name
FROM inventory
WHERE sku_id IN ({list})

-- name: share_sku
-- Reads a SKU and keeps it as it is; others may do the same at the same time.
-- PARAMETERS: sku_id
-- RETURNS: sku_id, first_stock, total_stock, buckets, mode, settings, state, thawed_state, and as a JSON object the
--   partition of each bucket; sale_no, sale_id, frozen_by_sale, sale_version,
--   units of earlier sales, name
-- INVARIANT: for transactions that change some of its buckets, which they lock next, and not the SKU
SELECT sku_id, first_stock, total_stock, buckets, mode, settings, state, thawed_state,
  (SELECT CAST(JSON_OBJECTAGG(b.bucket, b.partition_id) AS CHAR) FROM inventory_bucket b
   WHERE b.sku_id = inventory.sku_id) AS placement,
  sale_no, sale_id, frozen_by_sale, sale_version,
  (SELECT CAST(SUM(u.base) AS SIGNED) FROM inventory_bucket u WHERE u.sku_id = inventory.sku_id) AS base,
  (SELECT n.name FROM sku_name n WHERE n.sku_id = inventory.sku_id) AS name
FROM inventory
WHERE sku_id = ?
LOCK IN SHARE MODE

-- name: update_skus
-- Updates the columns of SKUs that may change.
-- PARAMETERS: a JSON array of rows as those of insert_skus
-- RETURNS: rows found; must be the length of the array
-- INVARIANT: the SKUs are locked; total_stock is the sum of the buckets' allotments
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (
  sku_id BIGINT PATH '$[0]',
  first_stock BIGINT PATH '$[1]',
  total_stock BIGINT PATH '$[2]',
  settings VARCHAR(1024) PATH '$[3]',
  state VARCHAR(16) PATH '$[4]',
  thawed_state VARCHAR(16) PATH '$[5]',
  frozen_by_sale INT PATH '$[8]',
  sale_version BIGINT PATH '$[9]')) AS changed
STRAIGHT_JOIN inventory AS kept FORCE INDEX (PRIMARY) ON kept.sku_id = changed.sku_id
SET kept.first_stock = changed.first_stock, kept.total_stock = changed.total_stock, kept.settings = changed.settings, kept.state = changed.state,
  kept.thawed_state = changed.thawed_state, kept.frozen_by_sale = changed.frozen_by_sale,
  kept.sale_version = changed.sale_version
