-- Keeps what an instance has counted in sales.
-- PARAMETERS: sale_id, began_at, instance_id, length_ms, counts of each
-- RETURNS: nothing
-- INVARIANT: a row that is there stays as it is, so that repeating this changes nothing
INSERT IGNORE INTO sale_count (sale_id, began_at, instance_id, length_ms, counts)
VALUES {rows 5}
