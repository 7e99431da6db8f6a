-- Inserts payments that came for archived rejected orders.
-- PARAMETERS: as insert_rejects.sql
-- RETURNS: nothing
-- INVARIANT: as insert_rejects.sql
INSERT INTO archive_reject (
  sku_id, bucket, order_token, step, user_id, partition_id, qty, seq, epoch, reason, pay_before, created_at,
  noted_at, reference, sale_no, cart)
VALUES {rows 16}
