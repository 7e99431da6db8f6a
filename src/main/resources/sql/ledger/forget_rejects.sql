-- Gives rejected orders the pseudonym, another token, and the payments that came for them other names.
-- PARAMETERS: pseudonym, salt, twice; sku_id, bucket, order_token of each
-- RETURNS: rows changed
-- INVARIANT: as forget_holds.sql; the row of a payment has no buyer
UPDATE order_reject FORCE INDEX (PRIMARY)
SET user_id = IF(step = 1, ?, ''),
  reference = CONCAT('forgotten-', LEFT(SHA2(CONCAT(?, reference), 256), 32)),
  order_token = UNHEX(LEFT(SHA2(CONCAT(?, HEX(order_token)), 256), 32))
WHERE (sku_id, bucket, order_token) IN ({rows 3})
