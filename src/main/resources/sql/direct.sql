-- name: delete_direct_events
-- Deletes the oldest numbered events.
-- PARAMETERS: event_no of the last one
-- RETURNS: rows deleted
-- INVARIANT: -
DELETE FROM direct_event
WHERE event_no <= ?

-- name: delete_direct_holds
-- Forgets some of those by whom the holds of a bucket are.
-- PARAMETERS: sku_id, bucket, maximum
-- RETURNS: rows deleted
-- INVARIANT: only where its SKU is ENDING, so that no hold is added and no limit asks for them
DELETE FROM direct_hold
WHERE sku_id = ? AND bucket = ?
LIMIT ?

-- name: insert_direct_events
-- Inserts numbered events.
-- PARAMETERS: event_no, payload, numbered_at of each
-- RETURNS: nothing
-- INVARIANT: the duty EVENTS is locked, so a number is committed before a higher one is given
INSERT INTO direct_event (event_no, payload, numbered_at)
VALUES {rows 3}

-- name: insert_direct_holds
-- Notes by whom holds of SKUs are that sell in the ledger alone.
-- PARAMETERS: sku_id, bucket, user_id, epoch, seq of each
-- RETURNS: nothing
-- INVARIANT: in the transaction that books them
INSERT INTO direct_hold (sku_id, bucket, user_id, epoch, seq)
VALUES {rows 5}

-- name: list_direct_events
-- Lists a page of the numbered events.
-- PARAMETERS: event_no after which to begin, limit
-- RETURNS: event_no, payload
-- INVARIANT: in order
SELECT event_no, payload
FROM direct_event
WHERE event_no > ?
ORDER BY event_no
LIMIT ?

-- name: list_purgeable_events
-- Finds the last of the oldest numbered events that are old enough to be deleted.
-- PARAMETERS: maximum to look at, numbered_at before
-- RETURNS: event_no, or null
-- INVARIANT: looks at no more than that many rows
SELECT MAX(event_no)
FROM (
  SELECT event_no, numbered_at
  FROM direct_event
  ORDER BY event_no
  LIMIT ?) oldest
WHERE numbered_at < ?

-- name: lock_duty
-- Locks a duty that instances do in turn for SKUs that sell in the ledger alone.
-- PARAMETERS: duty
-- RETURNS: value
-- INVARIANT: until the transaction ends, so what one does is committed before the next one looks
SELECT value
FROM direct_duty
WHERE duty = ?
FOR UPDATE

-- name: read_direct_sku
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

-- name: read_event_numbers
-- Reads which numbers events have.
-- PARAMETERS: the duty EVENTS
-- RETURNS: event_no and numbered_at of the oldest one, 0 if there is none; the last number
-- INVARIANT: one snapshot; by key
SELECT
  COALESCE((SELECT MIN(f.event_no) FROM direct_event f), 0),
  COALESCE((SELECT f.numbered_at FROM direct_event f ORDER BY f.event_no LIMIT 1), 0),
  d.value
FROM direct_duty d
WHERE d.duty = ?

-- name: sum_direct_holds
-- Adds up the units that buyers have of buckets of SKUs that sell in the ledger alone, in the current sale.
-- PARAMETERS: sku_id, bucket, user_id of each
-- RETURNS: sku_id, bucket, user_id, units
-- INVARIANT: read while the buckets are locked; by key
SELECT d.sku_id, d.bucket, d.user_id,
  CAST(SUM(h.qty - COALESCE((SELECT SUM(m.qty) FROM stock_move m FORCE INDEX (PRIMARY)
    WHERE m.sku_id = h.sku_id AND m.bucket = h.bucket AND m.epoch = h.epoch AND m.seq = h.seq
      AND m.action IN ('CANCEL', 'REFUND')), 0)) AS SIGNED)
FROM direct_hold d FORCE INDEX (PRIMARY)
STRAIGHT_JOIN inventory_bucket b FORCE INDEX (PRIMARY)
  ON b.sku_id = d.sku_id AND b.bucket = d.bucket AND d.epoch > b.since_epoch
STRAIGHT_JOIN order_hold h FORCE INDEX (PRIMARY)
  ON h.sku_id = d.sku_id AND h.bucket = d.bucket AND h.epoch = d.epoch AND h.seq = d.seq
WHERE (d.sku_id, d.bucket, d.user_id) IN ({rows 3})
GROUP BY d.sku_id, d.bucket, d.user_id

-- name: update_duty
-- Writes the value of a duty.
-- PARAMETERS: value, duty
-- RETURNS: 1 row found
-- INVARIANT: it is locked
UPDATE direct_duty SET value = ? WHERE duty = ?
