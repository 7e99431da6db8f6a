-- Inserts the parts of a round of a take-back.
-- PARAMETERS: sku_id, restock_id, bucket, round, units of each
-- RETURNS: nothing
-- INVARIANT: each part has one intent in the outbox
INSERT INTO restock_part (sku_id, restock_id, bucket, round, units)
VALUES {rows 5}
