-- name: count_pending
-- Counts the outbox rows of a kind that are to be delivered.
-- PARAMETERS: partition_id, kind, the highest number that is counted
-- RETURNS: their number
-- INVARIANT: looks at no more than that many rows
SELECT COUNT(*)
FROM (
  SELECT id
  FROM outbox FORCE INDEX (outbox_by_pass)
  WHERE partition_id = ? AND kind = ? AND status = 'PENDING'
  ORDER BY id
  LIMIT ?) waiting

-- name: delete_outbox
-- Deletes outbox rows that were delivered.
-- PARAMETERS: id of each
-- RETURNS: rows found
-- INVARIANT: only SENT rows are deleted; by an alias with its index, here and in other deletes of a list: else MariaDB may
--   read a small table whole, and wait for what others have locked
DELETE o
FROM outbox o FORCE INDEX (PRIMARY)
WHERE o.id IN ({list}) AND o.status = 'SENT'

-- name: insert_outbox
-- Inserts outbox rows to be delivered.
-- PARAMETERS: partition_id, kind, event_type, payload, created_at of each
-- RETURNS: nothing
-- INVARIANT: ids rise in the order of the rows
INSERT INTO outbox (partition_id, kind, event_type, payload, created_at)
VALUES {rows 5}

-- name: list_glances
-- Shows of each partition that ever had an owner what its owner asks for while nothing happens.
-- PARAMETERS: none
-- RETURNS: partition_id, term, next_offset, the database's clock in epoch milliseconds, then 1 or 0 for each kind of
--   outbox row that is PENDING: EVENT, RELEASE, RESTOCK, DEAD
-- INVARIANT: one entry of an index for each partition and kind, however many rows are PENDING; the clock is that of the
--   statement's begin, before what it reads, so everything committed before that time is seen
SELECT
  partition_id,
  term,
  next_offset,
  CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED),
  EXISTS (
    SELECT 1 FROM outbox
    WHERE outbox.partition_id = partition_fence.partition_id AND kind = 'EVENT' AND status = 'PENDING'),
  EXISTS (
    SELECT 1 FROM outbox
    WHERE outbox.partition_id = partition_fence.partition_id AND kind = 'RELEASE' AND status = 'PENDING'),
  EXISTS (
    SELECT 1 FROM outbox
    WHERE outbox.partition_id = partition_fence.partition_id AND kind = 'RESTOCK' AND status = 'PENDING'),
  EXISTS (
    SELECT 1 FROM outbox
    WHERE outbox.partition_id = partition_fence.partition_id AND kind = 'DEAD' AND status = 'PENDING')
FROM partition_fence FORCE INDEX (PRIMARY)
WHERE partition_fence.partition_id >= 0

-- name: list_pending
-- Lists a page of outbox rows to be delivered.
-- PARAMETERS: partition_id, kind, id after which to begin, limit
-- RETURNS: id, partition_id, kind, event_type, payload, created_at, age in milliseconds
-- INVARIANT: in id order; each pass begins at 0, because transactions commit out of order; without the hint MariaDB would
--   read all rows while many of them are PENDING
SELECT id, partition_id, kind, event_type, payload, created_at,
  CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED) - created_at
FROM outbox FORCE INDEX (outbox_by_pass)
WHERE partition_id = ? AND kind = ? AND status = 'PENDING' AND id > ?
ORDER BY id
LIMIT ?

-- name: list_pending_of_all
-- Lists the first outbox rows to be delivered of partitions.
-- PARAMETERS: partition_id of each, kind, limit of all rows
-- RETURNS: as list_pending
-- INVARIANT: in id order within a partition; with as many rows as the limit, some may be missing
SELECT id, partition_id, kind, event_type, payload, created_at,
  CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED) - created_at
FROM outbox FORCE INDEX (outbox_by_pass)
WHERE partition_id IN ({list}) AND kind = ? AND status = 'PENDING'
ORDER BY partition_id, id
LIMIT ?

-- name: list_purgeable
-- Lists the oldest delivered outbox rows that are old enough to be deleted.
-- PARAMETERS: partition_id, kind, maximum to look at, created_at before
-- RETURNS: id
-- INVARIANT: looks at no more than that many rows
SELECT id
FROM (
  SELECT id, created_at
  FROM outbox FORCE INDEX (outbox_by_pass)
  WHERE partition_id = ? AND kind = ? AND status = 'SENT'
  ORDER BY id
  LIMIT ?) oldest
WHERE created_at < ?

-- name: list_sent_events
-- Lists the oldest events of a partition that were sent, as many as fit into a page.
-- PARAMETERS: partition_id, highest number of rows, below how many bytes of payloads before it a row fits
-- RETURNS: id, partition_id, kind, event_type, payload, created_at
-- INVARIANT: in id order; the sizes of no more than that many rows are looked at
SELECT o.id, o.partition_id, o.kind, o.event_type, o.payload, o.created_at
FROM (
  SELECT id, SUM(size) OVER (ORDER BY id) - size AS begins_at
  FROM (
    SELECT id, LENGTH(payload) AS size
    FROM outbox FORCE INDEX (outbox_by_pass)
    WHERE partition_id = ? AND kind = 'EVENT' AND status = 'SENT'
    ORDER BY id
    LIMIT ?) oldest) sized
STRAIGHT_JOIN outbox o FORCE INDEX (PRIMARY) ON o.id = sized.id
WHERE sized.begins_at < ?
ORDER BY o.id

-- name: lock_outbox_row
-- Reads and locks an outbox row.
-- PARAMETERS: id, partition_id, created_at
-- RETURNS: status
-- INVARIANT: the effect of a row is applied once; another row that has its id is not found
SELECT status
FROM outbox
WHERE id = ? AND partition_id = ? AND created_at = ?
FOR UPDATE

-- name: mark_sent
-- Marks outbox rows as delivered.
-- PARAMETERS: id, partition_id, created_at of each
-- RETURNS: rows found
-- INVARIANT: idempotent; a row that has the id of one of these, and is another one, stays as it is
UPDATE outbox FORCE INDEX (PRIMARY)
SET status = 'SENT'
WHERE (id, partition_id, created_at) IN ({rows 3})
