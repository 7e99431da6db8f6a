-- name: count_skus_ahead
-- Counts the SKUs of a sale that have not ended, and those that are not archived.
-- PARAMETERS: sale_id, twice
-- RETURNS: SKUs that have not ended, SKUs that are not archived
-- INVARIANT: the sale is locked, so that none joins; one that has left it has ended, and its orders may not be archived
SELECT CAST(SUM(one.unended) AS SIGNED), CAST(SUM(one.unarchived) AS SIGNED)
FROM (
  SELECT COALESCE(SUM(state NOT IN ('ENDED', 'ARCHIVED')), 0) AS unended, COALESCE(SUM(state <> 'ARCHIVED'), 0) AS unarchived
  FROM inventory FORCE INDEX (inventory_by_sale)
  WHERE sale_id = ?
  UNION ALL
  SELECT 0, COALESCE(SUM(state <> 'ARCHIVED'), 0)
  FROM earlier_sale FORCE INDEX (earlier_sale_by_sale)
  WHERE sale_id = ?) AS one

-- name: count_skus_of_sale
-- Counts the SKUs of a sale, those that have left it included.
-- PARAMETERS: sale_id, twice
-- RETURNS: one number
-- INVARIANT: the sale is locked, so that none joins; one that leaves it meanwhile may be counted twice, and is never left out
SELECT (SELECT COUNT(*) FROM inventory FORCE INDEX (inventory_by_sale) WHERE sale_id = ?)
  + (SELECT COUNT(*) FROM earlier_sale FORCE INDEX (earlier_sale_by_sale) WHERE sale_id = ?)

-- name: insert_sale
-- Creates a sale.
-- PARAMETERS: sale_id, name, carts, opens_at, closes_at, payment_window, ticket, state, frozen, version, state_version,
--   created_at
-- RETURNS: nothing; a duplicate key if it was inserted concurrently
-- INVARIANT: carts and created_at never change
INSERT INTO sale (
  sale_id, name, carts, opens_at, closes_at, payment_window, ticket, state, frozen, version, state_version, created_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: list_sales
-- Lists a page of sales.
-- PARAMETERS: sale_id after which to begin, limit
-- RETURNS: sale_id, name, carts, opens_at, closes_at, payment_window, ticket, state, frozen, version, state_version,
--   created_at, and the database's clock in epoch milliseconds
-- INVARIANT: in id order
SELECT sale_id, name, carts, opens_at, closes_at, payment_window, ticket, state, frozen, version, state_version,
  created_at, CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)
FROM sale
WHERE sale_id > ?
ORDER BY sale_id
LIMIT ?

-- name: list_sales_behind
-- Lists some sales of which SKUs may not have the last version.
-- PARAMETERS: sale_id after which to begin, limit
-- RETURNS: sale_id
-- INVARIANT: in id order
SELECT sale_id
FROM sale FORCE INDEX (sale_behind)
WHERE behind = 1 AND sale_id > ?
ORDER BY sale_id
LIMIT ?

-- name: list_skus_of_sale
-- Lists a page of the SKUs of a sale.
-- PARAMETERS: sale_id, sku_id after which to begin, limit
-- RETURNS: sku_id, first_stock, total_stock, buckets, mode, settings, state, thawed_state, and as a JSON object the
--   partition of each bucket; sale_no, sale_id, frozen_by_sale, sale_version,
--   units of earlier sales, name
-- INVARIANT: in id order
SELECT sku_id, first_stock, total_stock, buckets, mode, settings, state, thawed_state,
  (SELECT CAST(JSON_OBJECTAGG(b.bucket, b.partition_id) AS CHAR) FROM inventory_bucket b
   WHERE b.sku_id = inventory.sku_id) AS placement,
  sale_no, sale_id, frozen_by_sale, sale_version,
  (SELECT CAST(SUM(u.base) AS SIGNED) FROM inventory_bucket u WHERE u.sku_id = inventory.sku_id) AS base,
  (SELECT n.name FROM sku_name n WHERE n.sku_id = inventory.sku_id) AS name
FROM inventory FORCE INDEX (inventory_by_sale)
WHERE sale_id = ? AND sku_id > ?
ORDER BY sku_id
LIMIT ?

-- name: lock_sale
-- Reads and locks a sale.
-- PARAMETERS: sale_id
-- RETURNS: sale_id, name, carts, opens_at, closes_at, payment_window, ticket, state, frozen, version, state_version,
--   created_at, and 0
-- INVARIANT: every transaction that changes a sale, or adds SKUs to it, locks it first, and its SKUs after it
SELECT sale_id, name, carts, opens_at, closes_at, payment_window, ticket, state, frozen, version, state_version,
  created_at, 0
FROM sale
WHERE sale_id = ?
FOR UPDATE

-- name: read_sale
-- Reads a sale.
-- PARAMETERS: sale_id
-- RETURNS: sale_id, name, carts, opens_at, closes_at, payment_window, ticket, state, frozen, version, state_version,
--   created_at, and the database's clock in epoch milliseconds
-- INVARIANT: -
SELECT sale_id, name, carts, opens_at, closes_at, payment_window, ticket, state, frozen, version, state_version,
  created_at, CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)
FROM sale
WHERE sale_id = ?

-- name: update_sale
-- Updates the columns of a sale that may change.
-- PARAMETERS: name, opens_at, closes_at, payment_window, ticket, state, frozen, version, state_version, behind, sale_id
-- RETURNS: 1 row found
-- INVARIANT: the version never falls
UPDATE sale
SET name = ?, opens_at = ?, closes_at = ?, payment_window = ?, ticket = ?, state = ?, frozen = ?, version = ?,
  state_version = ?, behind = ?
WHERE sale_id = ?
