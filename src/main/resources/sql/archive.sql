-- name: add_archive_sums
-- Adds what moved rows sum up to, to the sums of their buckets.
-- PARAMETERS: sku_id, bucket, action, units, rows of each
-- RETURNS: nothing
-- INVARIANT: in the transaction that moves them, so that no sum of the ledger changes
INSERT INTO archive_sum (sku_id, bucket, action, units, entries)
VALUES {rows 5}
ON DUPLICATE KEY UPDATE units = units + VALUES(units), entries = entries + VALUES(entries)

-- name: archive_holds
-- Copies the ended orders of one epoch of a bucket into the archive.
-- PARAMETERS: sku_id, bucket, epoch, seq after which to begin, last seq
-- RETURNS: rows written
-- INVARIANT: in the transaction that deletes them; the bucket is locked, so none of them changes
INSERT INTO archive_hold (
  sku_id, bucket, epoch, seq, order_token, user_id, partition_id, qty, pay_before, created_at, booked_at,
  reference, sale_no, write_no, cart)
SELECT h.sku_id, h.bucket, h.epoch, h.seq, h.order_token, h.user_id, h.partition_id, h.qty, h.pay_before, h.created_at, h.booked_at,
  h.reference, h.sale_no, h.write_no, h.cart
FROM order_hold h FORCE INDEX (PRIMARY)
JOIN stock_move m FORCE INDEX (PRIMARY)
  ON m.sku_id = h.sku_id AND m.bucket = h.bucket AND m.epoch = h.epoch AND m.seq = h.seq AND m.step = 1
WHERE h.sku_id = ? AND h.bucket = ? AND h.epoch = ? AND h.seq > ? AND h.seq <= ?

-- name: archive_moves
-- Copies what happened to these orders into the archive.
-- PARAMETERS: sku_id, bucket, epoch, seq after which to begin, last seq
-- RETURNS: rows written
-- INVARIANT: as archive_holds; an order that has not ended has no such row
INSERT INTO archive_move (sku_id, bucket, epoch, seq, step, action, reason, qty, created_at, reference, write_no)
SELECT sku_id, bucket, epoch, seq, step, action, reason, qty, created_at, reference, write_no
FROM stock_move FORCE INDEX (PRIMARY)
WHERE sku_id = ? AND bucket = ? AND epoch = ? AND seq > ? AND seq <= ?

-- name: archive_notes
-- Copies what was told of these orders into the archive.
-- PARAMETERS: sku_id, bucket, epoch, seq after which to begin, last seq
-- RETURNS: rows written
-- INVARIANT: after archive_holds, whose orders these are
INSERT INTO archive_note (
  sku_id, bucket, order_token, note_no, kind, epoch, seq, partition_id, reference, qty, pay_before,
  created_at)
SELECT n.sku_id, n.bucket, n.order_token, n.note_no, n.kind, n.epoch, n.seq, n.partition_id, n.reference, n.qty, n.pay_before,
  n.created_at
FROM archive_hold h FORCE INDEX (PRIMARY)
JOIN order_note n FORCE INDEX (PRIMARY)
  ON n.sku_id = h.sku_id AND n.bucket = h.bucket AND n.order_token = h.order_token
WHERE h.sku_id = ? AND h.bucket = ? AND h.epoch = ? AND h.seq > ? AND h.seq <= ?

-- name: archive_reject_notes
-- Copies what was told of these rejected orders into the archive.
-- PARAMETERS: sku_id, bucket, last order_token, sale_no
-- RETURNS: rows written
-- INVARIANT: before the orders are deleted, from which their notes are found
INSERT INTO archive_note (
  sku_id, bucket, order_token, note_no, kind, epoch, seq, partition_id, reference, qty, pay_before,
  created_at)
SELECT n.sku_id, n.bucket, n.order_token, n.note_no, n.kind, n.epoch, n.seq, n.partition_id, n.reference, n.qty, n.pay_before,
  n.created_at
FROM order_reject r FORCE INDEX (PRIMARY)
JOIN order_note n FORCE INDEX (PRIMARY)
  ON n.sku_id = r.sku_id AND n.bucket = r.bucket AND n.order_token = r.order_token
WHERE r.sku_id = ? AND r.bucket = ? AND r.order_token <= ? AND r.sale_no <= ? AND r.step = 1

-- name: archive_rejects
-- Copies rejected orders of a bucket into the archive.
-- PARAMETERS: sku_id, bucket, last order_token, sale_no
-- RETURNS: rows written
-- INVARIANT: in the transaction that deletes them; the bucket is locked
INSERT INTO archive_reject (
  sku_id, bucket, order_token, step, user_id, partition_id, qty, seq, epoch, reason, pay_before, created_at,
  noted_at, reference, sale_no, cart)
SELECT r.sku_id, r.bucket, r.order_token, r.step, r.user_id, r.partition_id, r.qty, r.seq, r.epoch, r.reason, r.pay_before, r.created_at,
  r.noted_at, r.reference, r.sale_no, r.cart
FROM order_reject r FORCE INDEX (PRIMARY)
WHERE r.sku_id = ? AND r.bucket = ? AND r.order_token <= ? AND r.sale_no <= ?

-- name: ask_archive
-- Asks for the orders of a SKU to be moved to the archive, or for those of more sales.
-- PARAMETERS: sku_id, sale_no, now
-- RETURNS: nothing
-- INVARIANT: begins with the first bucket; the caller has seen that there is no job for as many sales
INSERT INTO archive_job (sku_id, sale_no, due_at)
VALUES (?, ?, ?)
ON DUPLICATE KEY UPDATE sale_no = VALUES(sale_no), due_at = VALUES(due_at), bucket = 0, epoch = 0, seq = 0, left_behind = 0

-- name: count_archived
-- Counts rows of a bucket that were moved to the archive, rows of moves that were folded, or rows whose place has changed.
-- PARAMETERS: rows, sku_id, bucket
-- RETURNS: 1 row found
-- INVARIANT: in the transaction that has changed them; the bucket is locked
UPDATE inventory_bucket
SET archived = archived + ?
WHERE sku_id = ? AND bucket = ?

-- name: delete_archived_holds
-- Deletes archived orders from where orders are booked.
-- PARAMETERS: sku_id, bucket, epoch, seq after which to begin, last seq
-- RETURNS: rows deleted
-- INVARIANT: in the transaction that has copied them; deletes nothing that is not in the archive
DELETE h
FROM order_hold h FORCE INDEX (PRIMARY)
STRAIGHT_JOIN archive_hold a FORCE INDEX (PRIMARY)
  ON a.sku_id = h.sku_id AND a.bucket = h.bucket AND a.epoch = h.epoch AND a.seq = h.seq
WHERE h.sku_id = ? AND h.bucket = ? AND h.epoch = ? AND h.seq > ? AND h.seq <= ?

-- name: delete_archived_moves
-- Deletes what happened to archived orders.
-- PARAMETERS: sku_id, bucket, epoch, seq after which to begin, last seq
-- RETURNS: rows deleted
-- INVARIANT: in the transaction that has copied them
DELETE FROM stock_move
WHERE sku_id = ? AND bucket = ? AND epoch = ? AND seq > ? AND seq <= ?

-- name: delete_archived_notes
-- Deletes what was told of archived orders.
-- PARAMETERS: sku_id, bucket, epoch, seq after which to begin, last seq
-- RETURNS: rows deleted
-- INVARIANT: in the transaction that has copied them
DELETE n
FROM archive_hold h FORCE INDEX (PRIMARY)
STRAIGHT_JOIN order_note n FORCE INDEX (PRIMARY)
  ON n.sku_id = h.sku_id AND n.bucket = h.bucket AND n.order_token = h.order_token
WHERE h.sku_id = ? AND h.bucket = ? AND h.epoch = ? AND h.seq > ? AND h.seq <= ?

-- name: delete_archived_reject_notes
-- Deletes what was told of archived rejected orders.
-- PARAMETERS: sku_id, bucket, last order_token, sale_no
-- RETURNS: rows deleted
-- INVARIANT: in the transaction that has copied them, before the orders are deleted
DELETE n
FROM order_reject r FORCE INDEX (PRIMARY)
STRAIGHT_JOIN order_note n FORCE INDEX (PRIMARY)
  ON n.sku_id = r.sku_id AND n.bucket = r.bucket AND n.order_token = r.order_token
WHERE r.sku_id = ? AND r.bucket = ? AND r.order_token <= ? AND r.sale_no <= ? AND r.step = 1

-- name: delete_archived_rejects
-- Deletes archived rejected orders.
-- PARAMETERS: sku_id, bucket, last order_token, sale_no
-- RETURNS: rows deleted
-- INVARIANT: in the transaction that has copied them
DELETE FROM order_reject
WHERE sku_id = ? AND bucket = ? AND order_token <= ? AND sale_no <= ?

-- name: find_archive_job
-- Finds the SKU that the archive goes on with.
-- PARAMETERS: now
-- RETURNS: sku_id
-- INVARIANT: the one that waits longest; the row is read again once its SKU is locked
SELECT sku_id
FROM archive_job FORCE INDEX (archive_job_by_time)
WHERE due_at <= ?
ORDER BY due_at, sku_id
LIMIT 1

-- name: find_archive_reject
-- Finds the last of the next rejected orders of a bucket that are moved to the archive.
-- PARAMETERS: sku_id, bucket, sale_no, limit
-- RETURNS: order_token, null where there is none
-- INVARIANT: in the order of the primary key; the bucket is locked
SELECT MAX(page.order_token)
FROM (
  SELECT order_token
  FROM order_reject FORCE INDEX (PRIMARY)
  WHERE sku_id = ? AND bucket = ? AND sale_no <= ?
  ORDER BY order_token
  LIMIT ?) page

-- name: insert_archived_moves
-- Inserts payments that came for archived orders.
-- PARAMETERS: as insert_moves
-- RETURNS: nothing
-- INVARIANT: as insert_moves; they move no unit, so no sum changes
INSERT INTO archive_move (sku_id, bucket, epoch, seq, step, action, reason, qty, created_at, reference, write_no)
VALUES {rows 11}

-- name: insert_archived_notes
-- Inserts payments that were told of archived orders.
-- PARAMETERS: as insert_notes
-- RETURNS: nothing
-- INVARIANT: as insert_notes
INSERT INTO archive_note (
  sku_id, bucket, order_token, note_no, kind, epoch, seq, partition_id, reference, qty, pay_before,
  created_at)
VALUES {rows 12}

-- name: insert_archived_rejects
-- Inserts payments that came for archived rejected orders.
-- PARAMETERS: as insert_rejects
-- RETURNS: nothing
-- INVARIANT: as insert_rejects
INSERT INTO archive_reject (
  sku_id, bucket, order_token, step, user_id, partition_id, qty, seq, epoch, reason, pay_before, created_at,
  noted_at, reference, sale_no, cart)
VALUES {rows 16}

-- name: keep_archive_job
-- Keeps how far the orders of a SKU are moved to the archive.
-- PARAMETERS: bucket, epoch, seq, left_behind, due_at or null, sku_id
-- RETURNS: 1 row found
-- INVARIANT: in the transaction that has moved them
UPDATE archive_job
SET bucket = ?, epoch = ?, seq = ?, left_behind = ?, due_at = ?
WHERE sku_id = ?

-- name: list_archive_holds
-- Lists the next booked orders of a bucket, and which of them have ended.
-- PARAMETERS: sku_id, bucket; after which to begin: epoch twice, seq; limit
-- RETURNS: epoch, seq, sale_no, whether it has ended
-- INVARIANT: in the order of the primary key; the bucket is locked
SELECT h.epoch, h.seq, h.sale_no, m.step IS NOT NULL
FROM order_hold h FORCE INDEX (PRIMARY)
LEFT JOIN stock_move m FORCE INDEX (PRIMARY)
  ON m.sku_id = h.sku_id AND m.bucket = h.bucket AND m.epoch = h.epoch AND m.seq = h.seq AND m.step = 1
WHERE h.sku_id = ? AND h.bucket = ? AND (h.epoch > ? OR (h.epoch = ? AND h.seq > ?))
ORDER BY h.epoch, h.seq
LIMIT ?

-- name: list_earlier_to_archive
-- Lists some SKUs that have left a sale, and whose orders of it were not asked to be archived.
-- PARAMETERS: sale_id, limit
-- RETURNS: sku_id, sale_no
-- INVARIANT: in id order; the sale is locked, and has ended, so none joins it
SELECT e.sku_id, e.sale_no
FROM earlier_sale e FORCE INDEX (earlier_sale_by_sale)
WHERE e.sale_id = ? AND e.state = 'ENDED'
  AND NOT EXISTS (SELECT 1 FROM archive_job j FORCE INDEX (PRIMARY)
    WHERE j.sku_id = e.sku_id AND j.sale_no >= e.sale_no)
ORDER BY e.sku_id
LIMIT ?

-- name: note_earlier_archived
-- Notes that all orders of earlier sales of a SKU are in the archive.
-- PARAMETERS: sku_id, the last of these sales
-- RETURNS: rows found; none where it was in no earlier sale
-- INVARIANT: in the transaction that ends the job; the SKU is locked
UPDATE earlier_sale
SET state = 'ARCHIVED'
WHERE sku_id = ? AND sale_no <= ?

-- name: read_archive_job
-- Reads how far the orders of a SKU are moved to the archive.
-- PARAMETERS: sku_id
-- RETURNS: sale_no, bucket, epoch, seq, left_behind, due_at
-- INVARIANT: read and written only while the SKU is locked
SELECT sale_no, bucket, epoch, seq, left_behind, due_at
FROM archive_job
WHERE sku_id = ?

-- name: read_archived
-- Reads the archived orders among these, and what happened to each.
-- PARAMETERS: sku_id, bucket, order_token of each
-- RETURNS: as read_orders
-- INVARIANT: orders only move into the archive, so one that is looked for here after order_hold is not missed
SELECT h.sku_id, h.bucket, h.order_token, h.user_id, h.qty, h.seq, h.epoch, h.pay_before, h.created_at, h.booked_at,
  m.step, m.action, m.reason, m.created_at, h.reference, h.sale_no, m.qty, m.reference, h.cart
FROM archive_hold h FORCE INDEX (archive_hold_by_token)
LEFT JOIN archive_move m
  ON m.sku_id = h.sku_id AND m.bucket = h.bucket AND m.epoch = h.epoch AND m.seq = h.seq
WHERE (h.sku_id, h.bucket, h.order_token) IN ({rows 3})

-- name: read_archived_notes
-- Reads what was told of archived orders beside their status.
-- PARAMETERS: sku_id, bucket, order_token of each
-- RETURNS: as read_notes
-- INVARIANT: as read_notes
SELECT sku_id, bucket, order_token, kind, reference, qty, pay_before, created_at
FROM archive_note FORCE INDEX (PRIMARY)
WHERE (sku_id, bucket, order_token) IN ({rows 3})
ORDER BY sku_id, bucket, order_token, note_no

-- name: read_archived_rejects
-- Reads the archived rejected orders among these, and the payments that came for them.
-- PARAMETERS: sku_id, bucket, order_token of each
-- RETURNS: as read_rejects
-- INVARIANT: as read_archived
SELECT sku_id, bucket, order_token, user_id, qty, seq, epoch, pay_before, created_at, noted_at, step, reason,
  reference, sale_no, cart
FROM archive_reject FORCE INDEX (PRIMARY)
WHERE (sku_id, bucket, order_token) IN ({rows 3})
