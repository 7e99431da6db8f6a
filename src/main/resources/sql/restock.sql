-- name: add_moved_units
-- Adds what rows of moves sum up to, to the one row of their bucket that takes their place.
-- PARAMETERS: sku_id, row_token, bucket, qty, created_at, write_no of each
-- RETURNS: nothing
-- INVARIANT: in the transaction that deletes them, so that no sum of the ledger changes
INSERT INTO restock_row (sku_id, row_token, bucket, qty, created_at, write_no)
VALUES {rows 6}
ON DUPLICATE KEY UPDATE qty = qty + VALUES(qty), created_at = GREATEST(created_at, VALUES(created_at)),
  write_no = GREATEST(write_no, VALUES(write_no))

-- name: find_restocking
-- Finds a take-back of a SKU that is under way.
-- PARAMETERS: sku_id
-- RETURNS: restock_id, or nothing
-- INVARIANT: its SKU is locked, so that none begins
SELECT restock_id
FROM restock FORCE INDEX (restock_by_status)
WHERE sku_id = ? AND status = 'WORKING'
LIMIT 1

-- name: delete_moved_units
-- Deletes rows of moves that were added to the rows of their buckets.
-- PARAMETERS: sku_id, row_token of each
-- RETURNS: rows deleted
-- INVARIANT: by their tokens, since a booking may append another one between them meanwhile
DELETE r
FROM restock_row r FORCE INDEX (PRIMARY)
WHERE r.sku_id = ? AND r.row_token IN ({list})

-- name: end_restock_part
-- Records a bucket's answer to its part of a take-back.
-- PARAMETERS: status, sku_id, restock_id, bucket, round
-- RETURNS: 1 row found
-- INVARIANT: a part is answered once
UPDATE restock_part
SET status = ?
WHERE sku_id = ? AND restock_id = ? AND bucket = ? AND round = ? AND status = 'PENDING'

-- name: find_pending_restock
-- Looks for a restock of a bucket that is to be delivered.
-- PARAMETERS: partition_id, the length of the next two, how the payload begins where more follows, and where it ends there
-- RETURNS: id
-- INVARIANT: every payload of this kind begins with the bucket; however many rows others have, none of them counts
SELECT id
FROM outbox
WHERE partition_id = ? AND kind = 'RESTOCK' AND status = 'PENDING' AND LEFT(payload, ?) IN (?, ?)
LIMIT 1

-- name: insert_restock
-- Records restocks.
-- PARAMETERS: sku_id, restock_id, qty, status, unsold of each
-- RETURNS: nothing; a duplicate key if it was inserted concurrently
-- INVARIANT: idempotent by SKU and restock id
INSERT INTO restock (sku_id, restock_id, qty, status, unsold)
VALUES {rows 5}

-- name: insert_restock_parts
-- Inserts the parts of a round of a take-back.
-- PARAMETERS: sku_id, restock_id, bucket, round, units of each
-- RETURNS: nothing
-- INVARIANT: each part has one intent in the outbox
INSERT INTO restock_part (sku_id, restock_id, bucket, round, units)
VALUES {rows 5}

-- name: insert_restock_rows
-- Inserts changes of allotments.
-- PARAMETERS: sku_id, row_token, bucket, qty, created_at, write_no of each
-- RETURNS: nothing
-- INVARIANT: rows are never changed; one per SKU and token
INSERT INTO restock_row (sku_id, row_token, bucket, qty, created_at, write_no)
VALUES {rows 6}

-- name: list_moved_units
-- Lists the next rows of units that have moved between buckets of a SKU.
-- PARAMETERS: sku_id, limit
-- RETURNS: row_token, bucket, qty, created_at, write_no
-- INVARIANT: by key; without those that add_moved_units has written, whose tokens go on with '#'
SELECT row_token, bucket, qty, created_at, write_no
FROM restock_row FORCE INDEX (PRIMARY)
WHERE sku_id = ? AND row_token >= '!move-0' AND row_token < '!move-:'
ORDER BY row_token
LIMIT ?

-- name: list_restock_parts
-- Lists all parts of a take-back.
-- PARAMETERS: sku_id, restock_id
-- RETURNS: bucket, round, units, status
-- INVARIANT: read while its SKU is locked; in the order of rounds
SELECT bucket, round, units, status
FROM restock_part
WHERE sku_id = ? AND restock_id = ?
ORDER BY round, bucket

-- name: read_restock
-- Reads a restock.
-- PARAMETERS: sku_id, restock_id
-- RETURNS: qty, status, rounds, unsold
-- INVARIANT: read while its SKU is locked
SELECT qty, status, rounds, unsold
FROM restock
WHERE sku_id = ? AND restock_id = ?

-- name: update_restock
-- Updates the state of a restock.
-- PARAMETERS: status, rounds, unsold, sku_id, restock_id
-- RETURNS: 1 row found
-- INVARIANT: DONE and REFUSED are final
UPDATE restock
SET status = ?, rounds = ?, unsold = ?
WHERE sku_id = ? AND restock_id = ? AND status = 'WORKING'
