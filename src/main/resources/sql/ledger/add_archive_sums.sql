-- Adds what moved rows sum up to, to the sums of their buckets.
-- PARAMETERS: sku_id, bucket, action, units, rows of each
-- RETURNS: nothing
-- INVARIANT: in the transaction that moves them, so that no sum of the ledger changes
INSERT INTO archive_sum (sku_id, bucket, action, units, entries)
VALUES {rows 5}
ON DUPLICATE KEY UPDATE units = units + VALUES(units), entries = entries + VALUES(entries)
