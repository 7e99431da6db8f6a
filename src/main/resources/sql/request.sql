-- name: answer_requests
-- Answers requests, all the same, and closes them.
-- PARAMETERS: answer, id of each
-- RETURNS: rows found, without those that are closed already
-- INVARIANT: each is answered once
UPDATE owner_request FORCE INDEX (PRIMARY)
SET status = 'DONE', answer = ?, open_key = NULL
WHERE id IN ({list}) AND status = 'OPEN'

-- name: close_served
-- Closes a request that was served.
-- PARAMETERS: answer, id
-- RETURNS: 1 row found, or 0 where it is closed already
-- INVARIANT: in the transaction that ends its outbox row
UPDATE owner_request
SET status = 'DONE', answer = ?, open_key = NULL
WHERE id = ? AND status = 'SERVED'

-- name: delete_requests
-- Deletes requests that were answered.
-- PARAMETERS: id of each
-- RETURNS: rows found
-- INVARIANT: open requests are not deleted
DELETE r
FROM owner_request r FORCE INDEX (PRIMARY)
WHERE r.id IN ({list}) AND r.status = 'DONE'

-- name: find_open_request
-- Finds the open request with this key.
-- PARAMETERS: open_key
-- RETURNS: id
-- INVARIANT: read in the transaction that wrote or locked it
SELECT id
FROM owner_request
WHERE open_key = ?

-- name: insert_requests
-- Creates requests for the owners of partitions, unless the same are open already.
-- PARAMETERS: partition_id, kind, payload, open_key, created_at of each
-- RETURNS: nothing; an open one is locked
-- INVARIANT: one open request per kind and bucket
INSERT INTO owner_request (partition_id, kind, payload, open_key, created_at)
VALUES {rows 5}
ON DUPLICATE KEY UPDATE open_key = open_key

-- name: list_purgeable_requests
-- Lists the oldest answered requests that are old enough to be deleted.
-- PARAMETERS: partition_id, maximum to look at, created_at before
-- RETURNS: id
-- INVARIANT: looks at no more than that many rows
SELECT id
FROM (
  SELECT id, created_at
  FROM owner_request
  WHERE partition_id = ? AND status = 'DONE'
  ORDER BY id
  LIMIT ?) oldest
WHERE created_at < ?

-- name: list_requests
-- Lists open requests of partitions.
-- PARAMETERS: id after which to begin, partition_id of each, limit
-- RETURNS: id, partition_id, kind, payload
-- INVARIANT: oldest first; the hint keeps MySQL from scanning all answered ones in id order
SELECT id, partition_id, kind, payload
FROM owner_request FORCE INDEX (owner_request_by_partition)
WHERE id > ? AND partition_id IN ({list}) AND status = 'OPEN'
ORDER BY id
LIMIT ?

-- name: lock_unserved
-- Reads and locks those of these requests that nobody has served for a while.
-- PARAMETERS: milliseconds, open_key of each
-- RETURNS: id, payload
-- INVARIANT: none of them is served before the transaction ends
SELECT id, payload
FROM owner_request FORCE INDEX (owner_request_open)
WHERE created_at <= CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED) - ? AND open_key IN ({list}) AND status = 'OPEN'
FOR UPDATE

-- name: read_answer
-- Reads the answer to a request.
-- PARAMETERS: id
-- RETURNS: answer
-- INVARIANT: null while it is open
SELECT answer
FROM owner_request
WHERE id = ?

-- name: serve_request
-- Marks a request as served: it is carried out from its outbox row now, and is not withdrawn any more.
-- PARAMETERS: id
-- RETURNS: 1 row found, or 0 where it is served or closed already
-- INVARIANT: compares and sets, so that a request is either served or withdrawn; it keeps its key until it is closed
UPDATE owner_request
SET status = 'SERVED'
WHERE id = ? AND status = 'OPEN'
