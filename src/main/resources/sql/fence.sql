-- name: advance_fences
-- Advances the next_offset of partitions over a batch of the log of each, if this owner still has their fences.
-- PARAMETERS: a JSON array of [partition_id, term, next_offset before, next_offset after]
-- RETURNS: rows found; must be the length of the array
-- INVARIANT: compare-and-set on locked rows, in the transaction that writes the rows of the batches
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (
  partition_id INT PATH '$[0]',
  term BIGINT PATH '$[1]',
  offset_before BIGINT PATH '$[2]',
  offset_after BIGINT PATH '$[3]')) AS step
STRAIGHT_JOIN partition_fence AS fence FORCE INDEX (PRIMARY) ON fence.partition_id = step.partition_id
SET fence.next_offset = step.offset_after
WHERE fence.term = step.term AND fence.next_offset = step.offset_before

-- name: keep_reading
-- Stores when a partition could last be read, the shift of payment deadlines after an outage, and how far its holds were
--   looked at.
-- PARAMETERS: partition_id, read_at, shift_ms, shift_until, due_from, due_all_at, and the last five again
-- RETURNS: 1 where a row was inserted, 2 where one was updated
-- INVARIANT: in a transaction that has locked the fence, so that a former owner changes nothing
INSERT INTO partition_reading (partition_id, read_at, shift_ms, shift_until, due_from, due_all_at)
VALUES (?, ?, ?, ?, ?, ?)
ON DUPLICATE KEY UPDATE read_at = ?, shift_ms = ?, shift_until = ?, due_from = ?, due_all_at = ?

-- name: list_fences
-- Lists the fences of all partitions that ever had an owner.
-- PARAMETERS: none
-- RETURNS: partition_id, term, next_offset
-- INVARIANT: -
SELECT partition_id, term, next_offset FROM partition_fence

-- name: lock_fence
-- Reads and locks a partition's fence.
-- PARAMETERS: partition_id
-- RETURNS: partition_id, term, next_offset
-- INVARIANT: no other owner writes for this partition until the transaction ends
SELECT partition_id, term, next_offset
FROM partition_fence
WHERE partition_id = ?
FOR UPDATE

-- name: lock_fences
-- Reads and locks the fences of partitions.
-- PARAMETERS: partition_id of each
-- RETURNS: partition_id, term, next_offset
-- INVARIANT: in the order of their keys, so that two rounds never wait for each other; no other owner writes for these
--   partitions until the transaction ends
SELECT partition_id, term, next_offset
FROM partition_fence FORCE INDEX (PRIMARY)
WHERE partition_id IN ({list})
ORDER BY partition_id
FOR UPDATE

-- name: raise_term
-- Raises a partition's term, to take it over.
-- PARAMETERS: partition_id, lowest term, partition_id again, lowest term again
-- RETURNS: 1 where a row was inserted, 2 where one was updated
-- INVARIANT: the term only rises, and is at least the database's clock, so that a term lost when the ledger was restored
--   to an earlier state is not issued again; the offset does not change. Without a fence the partition begins at
--   its offset in the foundation, or at its first record where there is none
INSERT INTO partition_fence (partition_id, term, next_offset)
VALUES (
  ?,
  GREATEST(?, CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)),
  COALESCE((SELECT CAST(value AS SIGNED) FROM foundation WHERE name = CONCAT('kafka_begin.', ?)), 0))
ON DUPLICATE KEY UPDATE term = GREATEST(term + 1, ?, CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED))

-- name: read_reading
-- Reads when a partition could last be read, the shift of payment deadlines after an outage, and how far its holds were
--   looked at.
-- PARAMETERS: partition_id
-- RETURNS: read_at, shift_ms, shift_until, due_from, due_all_at
-- INVARIANT: -
SELECT read_at, shift_ms, shift_until, due_from, due_all_at
FROM partition_reading
WHERE partition_id = ?

-- name: reset_fence
-- Takes a partition over at an offset that an operator chose.
-- PARAMETERS: partition_id, next_offset, next_offset again
-- RETURNS: 1 where a row was inserted, 2 where one was updated
-- INVARIANT: the term rises as in a takeover, so the former owner cannot write any more
INSERT INTO partition_fence (partition_id, term, next_offset)
VALUES (?, CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED), ?)
ON DUPLICATE KEY UPDATE
  term = GREATEST(term + 1, CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)), next_offset = ?

-- name: touch_fence
-- Writes a fence without changing it.
-- PARAMETERS: partition_id
-- RETURNS: rows found
-- INVARIANT: fails on a server that refuses writes, whose rows may be older than the primary's
UPDATE partition_fence SET term = term WHERE partition_id = ?
