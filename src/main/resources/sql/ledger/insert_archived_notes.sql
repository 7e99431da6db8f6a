-- Inserts payments that were told of archived orders.
-- PARAMETERS: as insert_notes.sql
-- RETURNS: nothing
-- INVARIANT: as insert_notes.sql
INSERT INTO archive_note (
  sku_id, bucket, order_token, note_no, kind, epoch, seq, partition_id, reference, qty, pay_before,
  created_at)
VALUES {rows 12}
