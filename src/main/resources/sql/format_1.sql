-- name: copy_old_ends
-- Copies how the holds of a page of format 1 have ended.
-- PARAMETERS: last order_token of the page before, and of the page
-- RETURNS: rows written
-- INVARIANT: in the transaction that deletes the page from its table
INSERT INTO stock_move (sku_id, bucket, epoch, seq, step, action, reason, qty, created_at, write_no)
SELECT o.sku_id, o.bucket, o.epoch, o.seq, 1,
  IF(o.status = 'CANCELED', 'CANCEL', 'CONFIRM'),
  IF(o.status = 'CANCELED', o.reason, NULL),
  COALESCE(t.qty, o.qty), COALESCE(t.created_at, o.updated_at), 0
FROM orders_v1 o
LEFT JOIN stock_txn_v1 t
  ON t.order_token = o.order_token AND t.sku_id = o.sku_id
    AND t.action = IF(o.status = 'CANCELED', 'CANCEL', 'CONFIRM')
WHERE o.order_token > ? AND o.order_token <= ? AND o.status IN ('CONFIRMED', 'CANCELED', 'REFUNDED')

-- name: copy_old_holds
-- Copies a page of booked orders of format 1.
-- PARAMETERS: last order_token of the page before, and of the page
-- RETURNS: rows written
-- INVARIANT: in the transaction that deletes the page from its table
INSERT INTO order_hold (
  sku_id, bucket, epoch, seq, order_token, user_id, partition_id, qty, pay_before, created_at, booked_at, write_no)
SELECT o.sku_id, o.bucket, o.epoch, o.seq,
  FROM_BASE64(CONCAT(REPLACE(REPLACE(RIGHT(o.order_token, 22), '-', '+'), '_', '/'), '==')),
  o.user_id, o.partition_id, o.qty, o.pay_before, o.created_at, COALESCE(t.created_at, o.updated_at), 0
FROM orders_v1 o
LEFT JOIN stock_txn_v1 t
  ON t.order_token = o.order_token AND t.sku_id = o.sku_id AND t.action = 'HOLD'
WHERE o.order_token > ? AND o.order_token <= ? AND o.status <> 'REJECTED'

-- name: copy_old_rejects
-- Copies the rejected orders of a page of format 1, and the payments that came for them.
-- PARAMETERS: last order_token of the page before, and of the page; both twice
-- RETURNS: rows written
-- INVARIANT: in the transaction that deletes the page from its table
INSERT INTO order_reject (
  sku_id, bucket, order_token, step, user_id, partition_id, qty, seq, epoch, reason, pay_before, created_at, noted_at)
SELECT o.sku_id, o.bucket,
  FROM_BASE64(CONCAT(REPLACE(REPLACE(RIGHT(o.order_token, 22), '-', '+'), '_', '/'), '==')),
  1, o.user_id, o.partition_id, o.qty, o.seq, o.epoch, COALESCE(o.reason, 'UNPROCESSABLE'), o.pay_before, o.created_at,
  IF(o.late_paid_at IS NULL, o.updated_at, o.created_at)
FROM orders_v1 o
WHERE o.order_token > ? AND o.order_token <= ? AND o.status = 'REJECTED'
UNION ALL
SELECT o.sku_id, o.bucket,
  FROM_BASE64(CONCAT(REPLACE(REPLACE(RIGHT(o.order_token, 22), '-', '+'), '_', '/'), '==')),
  2, o.user_id, o.partition_id, o.qty, o.seq, o.epoch, COALESCE(o.reason, 'UNPROCESSABLE'), o.pay_before, o.created_at,
  o.late_paid_at
FROM orders_v1 o
WHERE o.order_token > ? AND o.order_token <= ? AND o.status = 'REJECTED' AND o.late_paid_at IS NOT NULL

-- name: copy_old_restocks
-- Copies a page of restocks of format 1.
-- PARAMETERS: last id of the page before, and of the page
-- RETURNS: rows written
-- INVARIANT: in the transaction that deletes the page from its table
INSERT INTO restock_row (sku_id, row_token, bucket, qty, created_at, write_no)
SELECT sku_id, order_token, bucket, qty, created_at, 0
FROM stock_txn_v1
WHERE id > ? AND id <= ? AND action = 'RESTOCK'

-- name: copy_old_sequels
-- Copies the refunds and the late payments of a page of format 1.
-- PARAMETERS: last order_token of the page before, and of the page
-- RETURNS: rows written
-- INVARIANT: in the transaction that deletes the page from its table
INSERT INTO stock_move (sku_id, bucket, epoch, seq, step, action, reason, qty, created_at, write_no)
SELECT o.sku_id, o.bucket, o.epoch, o.seq, 2,
  IF(o.status = 'REFUNDED', 'REFUND', 'LATE'), NULL,
  IF(o.status = 'REFUNDED', COALESCE(t.qty, o.qty), 0),
  IF(o.status = 'REFUNDED', o.updated_at, o.late_paid_at), 0
FROM orders_v1 o
LEFT JOIN stock_txn_v1 t
  ON t.order_token = o.order_token AND t.sku_id = o.sku_id AND t.action = 'REFUND'
WHERE o.order_token > ? AND o.order_token <= ?
  AND (o.status = 'REFUNDED' OR (o.status = 'CANCELED' AND o.late_paid_at IS NOT NULL))

-- name: count_format_1
-- Counts the tables named orders: 1 before a ledger of format 1 is migrated, later it is a view.
-- PARAMETERS: none
-- RETURNS: count
-- INVARIANT: read under the migration lock
SELECT COUNT(*)
FROM information_schema.tables
WHERE table_schema = DATABASE() AND table_name = 'orders' AND table_type = 'BASE TABLE'

-- name: count_old_rejects
-- Adds the rejected orders of a page of format 1 to the numbers of their buckets.
-- PARAMETERS: last order_token of the page before, and of the page
-- RETURNS: rows changed
-- INVARIANT: in the transaction that deletes the page from its table
UPDATE inventory_bucket b
JOIN (
  SELECT sku_id, bucket, COUNT(*) AS rejected
  FROM orders_v1
  WHERE order_token > ? AND order_token <= ? AND status = 'REJECTED'
  GROUP BY sku_id, bucket) o ON o.sku_id = b.sku_id AND o.bucket = b.bucket
SET b.rejects = b.rejects + o.rejected

-- name: count_old_rows
-- Counts append-only rows of format 1 that belong to no order.
-- PARAMETERS: none
-- RETURNS: rows
-- INVARIANT: when all orders and restocks are copied
SELECT COUNT(*) FROM stock_txn_v1

-- name: count_txns
-- Counts the append-only rows of a SKU, of each kind up to a maximum.
-- PARAMETERS: sku_id and maximum, three times
-- RETURNS: rows
-- INVARIANT: reads at most that many entries of each table
SELECT COUNT(*)
FROM (
  (SELECT 1 FROM restock_row WHERE sku_id = ? LIMIT ?)
  UNION ALL
  (SELECT 1 FROM order_hold FORCE INDEX (PRIMARY) WHERE sku_id = ? LIMIT ?)
  UNION ALL
  (SELECT 1 FROM stock_move WHERE sku_id = ? LIMIT ?)) counted

-- name: delete_old_orders
-- Deletes a page of orders of format 1.
-- PARAMETERS: last order_token of the page before, and of the page
-- RETURNS: rows deleted
-- INVARIANT: in the transaction that has copied them
DELETE FROM orders_v1 WHERE order_token > ? AND order_token <= ?

-- name: delete_old_restocks
-- Deletes a page of restocks of format 1.
-- PARAMETERS: last id of the page before, and of the page
-- RETURNS: rows deleted
-- INVARIANT: in the transaction that has copied them
DELETE FROM stock_txn_v1 WHERE id > ? AND id <= ? AND action = 'RESTOCK'

-- name: delete_old_txns
-- Deletes the append-only rows of a page of format 1.
-- PARAMETERS: last order_token of the page before, and of the page
-- RETURNS: rows deleted
-- INVARIANT: in the transaction that has copied them
DELETE t
FROM orders_v1 o
STRAIGHT_JOIN stock_txn_v1 t ON t.order_token = o.order_token AND t.sku_id = o.sku_id
WHERE o.order_token > ? AND o.order_token <= ?

-- name: drop_old_orders
-- Drops the table of orders of format 1.
-- PARAMETERS: none
-- RETURNS: nothing
-- INVARIANT: only when it is empty
DROP TABLE IF EXISTS orders_v1

-- name: drop_old_txns
-- Drops the table of append-only rows of format 1.
-- PARAMETERS: none
-- RETURNS: nothing
-- INVARIANT: only when it is empty
DROP TABLE IF EXISTS stock_txn_v1

-- name: find_old_orders
-- Finds the end of the next page of orders of format 1.
-- PARAMETERS: last order_token of the page before, limit
-- RETURNS: the last order_token of the page, or null
-- INVARIANT: in the order of the primary key
SELECT MAX(page.order_token)
FROM (SELECT order_token FROM orders_v1 WHERE order_token > ? ORDER BY order_token LIMIT ?) page

-- name: find_old_restocks
-- Finds the end of the next page of restocks of format 1.
-- PARAMETERS: last id of the page before, limit
-- RETURNS: the last id of the page, or null
-- INVARIANT: in the order of the primary key, when the rows of orders are gone
SELECT MAX(page.id)
FROM (SELECT id FROM stock_txn_v1 WHERE id > ? AND action = 'RESTOCK' ORDER BY id LIMIT ?) page

-- name: find_twin_places
-- Finds seqs of a bucket that two orders of format 1 have; the keys of format 2 have room for one.
-- PARAMETERS: sku_id and bucket as one text, the same again
-- RETURNS: the least and the greatest order_token of each such seq, as one text; 10 at most
-- INVARIANT: reads the orders of the bucket by the primary key: "/" is the character after "."
SELECT CONCAT(MIN(order_token), ' and ', MAX(order_token))
FROM orders
WHERE order_token > CONCAT(?, '.') AND order_token < CONCAT(?, '/') AND status <> 'REJECTED'
GROUP BY epoch, seq
HAVING COUNT(*) > 1
LIMIT 10

-- name: list_lost_partitions
-- Lists the partitions whose log has lost records, and whose buckets are not all rebuilt since.
-- PARAMETERS: none
-- RETURNS: partition_id; 20 at most
-- INVARIANT: until then grants that only Redis has may not be in the ledger
SELECT partition_id
FROM owner_request
WHERE open_key LIKE 'REBUILD:partition %'
ORDER BY partition_id
LIMIT 20

-- name: list_old_buckets
-- Lists all buckets, as the tokens of their orders begin.
-- PARAMETERS: none
-- RETURNS: sku_id and bucket as one text
-- INVARIANT: read once, before a ledger of format 1 is migrated
SELECT CONCAT(sku_id, '.', bucket)
FROM inventory_bucket
ORDER BY sku_id, bucket

-- name: list_old_tables
-- Lists the tables of format 1 that are still there.
-- PARAMETERS: none
-- RETURNS: table_name
-- INVARIANT: read under the migration lock
SELECT table_name
FROM information_schema.tables
WHERE table_schema = DATABASE() AND table_name IN ('orders_v1', 'stock_txn_v1') AND table_type = 'BASE TABLE'
