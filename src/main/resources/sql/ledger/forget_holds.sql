-- Gives booked orders the pseudonym in place of their buyer's id, another token, and no name.
-- PARAMETERS: pseudonym, salt; sku_id, bucket, order_token of each
-- RETURNS: rows changed
-- INVARIANT: the buckets are locked. The salt is kept nowhere, so the new token is as good as random; it is the same for all
--   rows of an order
UPDATE order_hold FORCE INDEX (order_hold_by_token)
SET user_id = ?, reference = NULL, order_token = UNHEX(LEFT(SHA2(CONCAT(?, HEX(order_token)), 256), 32))
WHERE (sku_id, bucket, order_token) IN ({rows 3})
