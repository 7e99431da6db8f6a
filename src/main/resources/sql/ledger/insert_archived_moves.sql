-- Inserts payments that came for archived orders.
-- PARAMETERS: as insert_moves.sql
-- RETURNS: nothing
-- INVARIANT: as insert_moves.sql; they move no unit, so no sum changes
INSERT INTO archive_move (sku_id, bucket, epoch, seq, step, action, reason, qty, created_at, reference, write_no)
VALUES {rows 11}
