-- Creates requests for the owners of partitions, unless the same are open already.
-- PARAMETERS: partition_id, kind, payload, open_key, created_at of each
-- RETURNS: nothing; an open one is locked
-- INVARIANT: one open request per kind and bucket
INSERT INTO owner_request (partition_id, kind, payload, open_key, created_at)
VALUES {rows 5}
ON DUPLICATE KEY UPDATE open_key = open_key
