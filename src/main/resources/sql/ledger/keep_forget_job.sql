-- Keeps how far a buyer is forgotten.
-- PARAMETERS: phase, sku_id, bucket, epoch, seq, order_token, replaced, left_over, done_at, user_id
-- RETURNS: 1 row found
-- INVARIANT: in the transaction that has replaced the ids
UPDATE forget_job
SET phase = ?, sku_id = ?, bucket = ?, epoch = ?, seq = ?, order_token = ?, replaced = ?, left_over = ?, done_at = ?
WHERE user_id = ?
