-- Reads and locks the next buyer to be forgotten.
-- PARAMETERS: -
-- RETURNS: user_id, pseudonym, phase, sku_id, bucket, epoch, seq, order_token, replaced, left_over
-- INVARIANT: locked until the step is committed, so a step is made once
SELECT user_id, pseudonym, phase, sku_id, bucket, epoch, seq, order_token, replaced, left_over
FROM forget_job FORCE INDEX (forget_job_by_end)
WHERE done_at = 0
ORDER BY user_id
LIMIT 1
FOR UPDATE
