-- Does with archived orders as forget_holds.sql.
-- PARAMETERS: pseudonym, salt; sku_id, bucket, order_token of each
-- RETURNS: rows changed
-- INVARIANT: as forget_holds.sql; nothing else of an archived order is ever changed
UPDATE archive_hold FORCE INDEX (archive_hold_by_token)
SET user_id = ?, reference = NULL, order_token = UNHEX(LEFT(SHA2(CONCAT(?, HEX(order_token)), 256), 32))
WHERE (sku_id, bucket, order_token) IN ({rows 3})
