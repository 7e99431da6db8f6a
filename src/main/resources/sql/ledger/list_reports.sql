-- Lists the last reconciliation report of each partition.
-- PARAMETERS: none
-- RETURNS: partition_id, report
-- INVARIANT: -
SELECT partition_id, report FROM reconcile_report
