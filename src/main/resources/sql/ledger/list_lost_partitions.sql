-- Lists the partitions whose log has lost records, and whose buckets are not all rebuilt since.
-- PARAMETERS: none
-- RETURNS: partition_id; 20 at most
-- INVARIANT: until then grants that only Redis has may not be in the ledger
SELECT partition_id
FROM owner_request
WHERE open_key LIKE 'REBUILD:partition %'
ORDER BY partition_id
LIMIT 20
