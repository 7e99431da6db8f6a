-- name: change_foundation
-- Changes a value that all instances share.
-- PARAMETERS: value, name
-- RETURNS: 1 row found, or 0
-- INVARIANT: only where an order log is adopted, while no instance runs, or the level is raised, while none of a
--   lower one does
UPDATE foundation SET value = ? WHERE name = ?

-- name: found_fences
-- Creates the fences of a new ledger, at the begin offset that the foundation has for each partition.
-- PARAMETERS: none
-- RETURNS: rows written; existing ones are locked
-- INVARIANT: part of the transaction that founds the ledger; existing fences are not changed
INSERT INTO partition_fence (partition_id, term, next_offset)
SELECT CAST(SUBSTRING(name, 13) AS SIGNED), 0, CAST(value AS SIGNED)
FROM foundation
WHERE name LIKE 'kafka_begin.%'
ON DUPLICATE KEY UPDATE term = partition_fence.term

-- name: insert_foundation
-- Inserts the values that all instances share, unless they exist.
-- PARAMETERS: name, value of each
-- RETURNS: rows written
-- INVARIANT: the first instance's values are kept and never changed
INSERT INTO foundation (name, value)
VALUES {rows 2}
ON DUPLICATE KEY UPDATE name = foundation.name

-- name: list_foundation
-- Lists the values that all instances share.
-- PARAMETERS: none
-- RETURNS: name, value
-- INVARIANT: read after the insert, so these are the first instance's values
SELECT name, value FROM foundation
