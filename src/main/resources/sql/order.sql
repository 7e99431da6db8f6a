-- name: count_unended
-- Counts the buckets of a SKU that have not ended.
-- PARAMETERS: sku_id
-- RETURNS: buckets
-- INVARIANT: its SKU is locked
SELECT COUNT(*) FROM inventory_bucket WHERE sku_id = ? AND ended = 0

-- name: insert_holds
-- Inserts booked orders, each with the units that it holds.
-- PARAMETERS: sku_id, bucket, epoch, seq, order_token, user_id, partition_id, qty, pay_before, created_at, booked_at,
--   reference, sale_no, write_no, cart of each
-- RETURNS: nothing; a duplicate key where the order exists, or another one has its seq
-- INVARIANT: rows are never changed; a token is booked once, and a seq of an epoch is one order's: its bucket is locked,
--   and the keys reject a duplicate
INSERT INTO order_hold (
  sku_id, bucket, epoch, seq, order_token, user_id, partition_id, qty, pay_before, created_at, booked_at,
  reference, sale_no, write_no, cart)
VALUES {rows 15}

-- name: insert_moves
-- Inserts what happened to booked orders.
-- PARAMETERS: sku_id, bucket, epoch, seq, step, action, reason (of a cancel; WITHDRAWN of a refund whose units have left
--   the stock of the current sale), qty, created_at, reference, write_no of each
-- RETURNS: nothing
-- INVARIANT: rows are never changed; step 1 ends the hold, and the primary key lets it end once
INSERT INTO stock_move (sku_id, bucket, epoch, seq, step, action, reason, qty, created_at, reference, write_no)
VALUES {rows 11}

-- name: insert_notes
-- Inserts what was told of orders beside their status.
-- PARAMETERS: sku_id, bucket, order_token, note_no, kind, epoch, seq, partition_id, reference, qty, pay_before,
--   created_at of each
-- RETURNS: nothing
-- INVARIANT: rows are never changed; the bucket is locked, and counts its notes
INSERT INTO order_note (
  sku_id, bucket, order_token, note_no, kind, epoch, seq, partition_id, reference, qty, pay_before, created_at)
VALUES {rows 12}

-- name: insert_rejects
-- Inserts orders that were rejected, and payments that came for such orders.
-- PARAMETERS: sku_id, bucket, order_token, step, user_id, partition_id, qty, seq, epoch, reason, pay_before, created_at,
--   noted_at, reference of the payment, sale_no, cart of each
-- RETURNS: nothing
-- INVARIANT: rows are never changed; the bucket counts its rejected orders
INSERT INTO order_reject (
  sku_id, bucket, order_token, step, user_id, partition_id, qty, seq, epoch, reason, pay_before, created_at, noted_at,
  reference, sale_no, cart)
VALUES {rows 16}

-- name: list_due
-- Lists the next payment deadlines of partitions, of holds and of their extensions, and which of these holds have not ended.
-- PARAMETERS: of each partition, twice: partition_id, pay_before at most; after which to begin: pay_before twice, sku_id
--   twice, bucket twice, epoch twice, seq; limit
-- RETURNS: pay_before, sku_id, bucket, epoch, seq, and order_token where the hold has not ended, this is its latest
--   deadline, and it leads its order; partition_id; in no order
-- INVARIANT: looks at no more than that many holds, and extensions, of each partition by index; the key of a secondary
--   index ends with the primary key. A hold with an extension is listed by each of its deadlines, and is due by the latest
--   alone: after an outage that one may be over by the clock, but not for its buyer. So is an order of several SKUs by its
--   lead alone, the first of its cart, which has the extensions
SELECT page.pay_before, page.sku_id, page.bucket, page.epoch, page.seq,
  IF(h.cart NOT LIKE CONCAT(h.sku_id, '.', h.bucket, '.%') OR EXISTS (
    SELECT 1 FROM order_note n FORCE INDEX (PRIMARY)
    WHERE n.sku_id = h.sku_id AND n.bucket = h.bucket AND n.order_token = h.order_token
      AND n.pay_before > page.pay_before), NULL, h.order_token),
  page.partition_id
FROM ({union}
  (SELECT pay_before, sku_id, bucket, epoch, seq, partition_id
  FROM order_hold FORCE INDEX (order_hold_by_due)
  WHERE partition_id = ? AND pay_before <= ?
    AND (pay_before > ?
      OR (pay_before = ?
        AND (sku_id > ? OR (sku_id = ? AND (bucket > ? OR (bucket = ? AND (epoch > ? OR (epoch = ? AND seq > ?))))))))
  ORDER BY pay_before, sku_id, bucket, epoch, seq
  LIMIT ?)
  UNION ALL
  (SELECT pay_before, sku_id, bucket, epoch, seq, partition_id
  FROM order_note FORCE INDEX (order_note_by_due)
  WHERE partition_id = ? AND pay_before > 0 AND pay_before <= ?
    AND (pay_before > ?
      OR (pay_before = ?
        AND (sku_id > ? OR (sku_id = ? AND (bucket > ? OR (bucket = ? AND (epoch > ? OR (epoch = ? AND seq > ?))))))))
  ORDER BY pay_before, sku_id, bucket, epoch, seq
  LIMIT ?){end}) page
LEFT JOIN stock_move m
  ON m.sku_id = page.sku_id AND m.bucket = page.bucket AND m.epoch = page.epoch AND m.seq = page.seq AND m.step = 1
LEFT JOIN order_hold h
  ON h.sku_id = page.sku_id AND h.bucket = page.bucket AND h.epoch = page.epoch AND h.seq = page.seq
    AND m.step IS NULL

-- name: list_load_rejects
-- Lists a page of the rejected orders of a bucket.
-- PARAMETERS: sku_id, bucket, order_token after which to begin, sale_no from which on, limit
-- RETURNS: sku_id, bucket, order_token, user_id, qty, seq, epoch, pay_before, created_at, noted_at, step, reason, cart
-- INVARIANT: in the order of the primary key
SELECT sku_id, bucket, order_token, user_id, qty, seq, epoch, pay_before, created_at, noted_at, step, reason, cart
FROM order_reject FORCE INDEX (PRIMARY)
WHERE sku_id = ? AND bucket = ? AND order_token > ? AND step = 1 AND sale_no >= ?
ORDER BY order_token
LIMIT ?

-- name: list_load_rows
-- Lists a page of the booked orders of a bucket, ended ones included.
-- PARAMETERS: sku_id, bucket, epoch after which to begin, the same again, seq after which to begin, limit
-- RETURNS: sku_id, bucket, order_token, user_id, qty, seq, epoch, pay_before, created_at, booked_at,
--   action that ended the hold, units that were refunded, and times 2^32 those of them that have left the stock (of a confirmed
--   order; looked for only there), reference, sale_no, cart
-- INVARIANT: in the order of the primary key
SELECT h.sku_id, h.bucket, h.order_token, h.user_id, h.qty, h.seq, h.epoch, h.pay_before, h.created_at, h.booked_at,
  m.action,
  CASE WHEN m.action = 'CONFIRM' THEN
    (SELECT CAST(COALESCE(SUM(r.qty * IF(r.reason = 'WITHDRAWN', 4294967297, 1)), 0) AS SIGNED)
     FROM stock_move r FORCE INDEX (PRIMARY)
     WHERE r.sku_id = h.sku_id AND r.bucket = h.bucket AND r.epoch = h.epoch AND r.seq = h.seq AND r.action = 'REFUND')
  ELSE 0 END,
  h.reference, h.sale_no, h.cart
FROM order_hold h FORCE INDEX (PRIMARY)
LEFT JOIN stock_move m
  ON m.sku_id = h.sku_id AND m.bucket = h.bucket AND m.epoch = h.epoch AND m.seq = h.seq AND m.step = 1
WHERE h.sku_id = ? AND h.bucket = ? AND (h.epoch > ? OR (h.epoch = ? AND h.seq > ?))
ORDER BY h.epoch, h.seq
LIMIT ?

-- name: list_overdue
-- Lists holds of a bucket whose payment deadline, as Redis set it, may be before a time.
-- PARAMETERS: sku_id, bucket, deadline before, limit
-- RETURNS: sku_id, bucket, order_token, user_id, qty, seq, epoch, pay_before, created_at, booked_at,
--   and step, action, reason, created_at of a move, which are null; reference, sale_no;
--   qty, reference of that move, which are null; cart
-- INVARIANT: read after the bucket is locked, so none of them changes; the oldest first. The deadline of one that was
--   booked late was extended by its delay, so the delay is subtracted to get the deadline that Redis set. A hold with more time
--   to pay has not ended, whatever Redis has set
SELECT h.sku_id, h.bucket, h.order_token, h.user_id, h.qty, h.seq, h.epoch, h.pay_before, h.created_at, h.booked_at,
  m.step, m.action, m.reason, m.created_at, h.reference, h.sale_no, m.qty, m.reference, h.cart
FROM order_hold h FORCE INDEX (PRIMARY)
LEFT JOIN stock_move m
  ON m.sku_id = h.sku_id AND m.bucket = h.bucket AND m.epoch = h.epoch AND m.seq = h.seq AND m.step = 1
LEFT JOIN order_note n FORCE INDEX (PRIMARY)
  ON n.sku_id = h.sku_id AND n.bucket = h.bucket AND n.order_token = h.order_token AND n.note_no = 1
WHERE h.sku_id = ? AND h.bucket = ? AND m.step IS NULL AND n.note_no IS NULL AND h.pay_before - (h.booked_at - h.created_at) < ?
ORDER BY h.pay_before - (h.booked_at - h.created_at)
LIMIT ?

-- name: look_up_orders
-- Reads the booked orders among these, what happened to each, and whether anything else was told of it.
-- PARAMETERS: sku_id, bucket, order_token of each
-- RETURNS: as read_orders, with whether there are notes instead of the clock
-- INVARIANT: one snapshot of all of it
SELECT h.sku_id, h.bucket, h.order_token, h.user_id, h.qty, h.seq, h.epoch, h.pay_before, h.created_at, h.booked_at,
  m.step, m.action, m.reason, m.created_at, h.reference, h.sale_no, m.qty, m.reference, h.cart, n.note_no IS NOT NULL
FROM order_hold h FORCE INDEX (order_hold_by_token)
LEFT JOIN stock_move m
  ON m.sku_id = h.sku_id AND m.bucket = h.bucket AND m.epoch = h.epoch AND m.seq = h.seq
LEFT JOIN order_note n FORCE INDEX (PRIMARY)
  ON n.sku_id = h.sku_id AND n.bucket = h.bucket AND n.order_token = h.order_token AND n.note_no = 1
WHERE (h.sku_id, h.bucket, h.order_token) IN ({rows 3})

-- name: read_clock
-- Reads the database's clock.
-- PARAMETERS: none
-- RETURNS: epoch milliseconds
-- INVARIANT: a statement of its own, after the locks: NOW is the time at which a statement began, before its lock wait
SELECT CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)

-- name: read_notes
-- Reads what was told of these orders beside their status.
-- PARAMETERS: sku_id, bucket, order_token of each
-- RETURNS: sku_id, bucket, order_token, kind, reference, qty, pay_before, created_at of each note
-- INVARIANT: those of an order in their order; in a transaction that has locked the buckets, nothing is added until it ends
SELECT sku_id, bucket, order_token, kind, reference, qty, pay_before, created_at
FROM order_note FORCE INDEX (PRIMARY)
WHERE (sku_id, bucket, order_token) IN ({rows 3})
ORDER BY sku_id, bucket, order_token, note_no

-- name: read_orders
-- Reads the booked orders among these, and what happened to each.
-- PARAMETERS: sku_id, bucket, order_token of each
-- RETURNS: sku_id, bucket, order_token, user_id, qty, seq, epoch, pay_before, created_at, booked_at,
--   and step, action, reason, created_at of a move: a row for each move, or one with nulls; reference, sale_no;
--   qty, reference of that move; cart; the clock, in milliseconds
-- INVARIANT: in a transaction that has locked the buckets, nothing about these orders changes until it ends; locks
--   nothing itself, since NOW is the time at which a statement began
SELECT h.sku_id, h.bucket, h.order_token, h.user_id, h.qty, h.seq, h.epoch, h.pay_before, h.created_at, h.booked_at,
  m.step, m.action, m.reason, m.created_at, h.reference, h.sale_no, m.qty, m.reference, h.cart,
  CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)
FROM order_hold h FORCE INDEX (order_hold_by_token)
LEFT JOIN stock_move m
  ON m.sku_id = h.sku_id AND m.bucket = h.bucket AND m.epoch = h.epoch AND m.seq = h.seq
WHERE (h.sku_id, h.bucket, h.order_token) IN ({rows 3})

-- name: read_rejects
-- Reads the rejected orders among these, and the payments that came for them.
-- PARAMETERS: sku_id, bucket, order_token of each
-- RETURNS: sku_id, bucket, order_token, user_id, qty, seq, epoch, pay_before, created_at, noted_at, step, reason,
--   reference of the payment, sale_no, cart
-- INVARIANT: the step of the rejection is 1, that of the payment 2
SELECT sku_id, bucket, order_token, user_id, qty, seq, epoch, pay_before, created_at, noted_at, step, reason,
  reference, sale_no, cart
FROM order_reject FORCE INDEX (PRIMARY)
WHERE (sku_id, bucket, order_token) IN ({rows 3})
