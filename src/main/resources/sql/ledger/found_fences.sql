-- Creates the fences of a new ledger, at the begin offset that the foundation has for each partition.
-- PARAMETERS: none
-- RETURNS: rows written; existing ones are locked
-- INVARIANT: part of the transaction that founds the ledger; existing fences are not changed
INSERT INTO partition_fence (partition_id, format, term, next_offset)
SELECT CAST(SUBSTRING(name, 13) AS SIGNED), 2, 0, CAST(value AS SIGNED)
FROM foundation
WHERE name LIKE 'kafka_begin.%'
ON DUPLICATE KEY UPDATE term = partition_fence.term
