-- Creates a request for the owner of a partition, unless the same is open already.
-- PARAMETERS: partition_id, kind, payload, open_key, created_at
-- RETURNS: 1 row written, or an open one locked
-- INVARIANT: one open request per kind and bucket
INSERT INTO owner_request (partition_id, kind, payload, open_key, created_at)
VALUES (?, ?, ?, ?, ?)
ON DUPLICATE KEY UPDATE open_key = open_key
