-- Gives what was told of these orders their other token, and payments and refunds other names.
-- PARAMETERS: salt, twice; sku_id, bucket, order_token of each order
-- RETURNS: rows changed
-- INVARIANT: as forget_moves.sql, with the same salt
UPDATE order_note FORCE INDEX (PRIMARY)
SET reference = CONCAT('forgotten-', LEFT(SHA2(CONCAT(?, reference), 256), 32)),
  order_token = UNHEX(LEFT(SHA2(CONCAT(?, HEX(order_token)), 256), 32))
WHERE (sku_id, bucket, order_token) IN ({rows 3})
