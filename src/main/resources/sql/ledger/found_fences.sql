-- Lays down the fences of a new ledger where the foundation says that each partition begins.
-- PARAMETERS: none
-- RETURNS: rows written, those that are there held
-- INVARIANT: in the transaction that founds the ledger; a fence that is there stays as it is
INSERT INTO partition_fence (partition_id, term, next_offset)
SELECT CAST(SUBSTRING(name, 13) AS SIGNED), 0, CAST(value AS SIGNED)
FROM foundation
WHERE name LIKE 'kafka_begin.%'
ON DUPLICATE KEY UPDATE term = partition_fence.term
