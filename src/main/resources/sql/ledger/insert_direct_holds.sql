-- Notes by whom holds of SKUs are that sell in the ledger alone.
-- PARAMETERS: sku_id, bucket, user_id, epoch, seq of each
-- RETURNS: nothing
-- INVARIANT: in the transaction that books them
INSERT INTO direct_hold (sku_id, bucket, user_id, epoch, seq)
VALUES {rows 5}
