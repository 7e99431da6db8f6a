-- name: delete_sale
-- Deletes a sale.
-- PARAMETERS: sale_id
-- RETURNS: 1 row
-- INVARIANT: the sale is locked, and no SKU is in it, or was
DELETE FROM sale
WHERE sale_id = ?

-- name: delete_counts_of_sale
-- Deletes what instances have counted of a sale.
-- PARAMETERS: sale_id
-- RETURNS: rows deleted
-- INVARIANT: in the transaction that deletes the sale, so that no later one of its name is told of it
DELETE FROM sale_count
WHERE sale_id = ?

-- name: delete_sku_buckets
-- Deletes all buckets of SKUs.
-- PARAMETERS: sku_id of each
-- RETURNS: rows deleted
-- INVARIANT: they are locked, and have ended; a batch that locks them afterwards finds none, and books nothing of them
DELETE gone
FROM inventory_bucket gone FORCE INDEX (PRIMARY)
WHERE gone.sku_id IN ({list})

-- name: delete_sku_restock_rows
-- Deletes the changes of the allotments of SKUs.
-- PARAMETERS: sku_id of each
-- RETURNS: rows deleted
-- INVARIANT: with the buckets that they add up to
DELETE gone
FROM restock_row gone FORCE INDEX (PRIMARY)
WHERE gone.sku_id IN ({list})

-- name: delete_sku_restocks
-- Deletes the restocks of SKUs, none of which is under way, with their parts.
-- PARAMETERS: sku_id of each
-- RETURNS: rows deleted
-- INVARIANT: the SKUs are locked
DELETE whole, part
FROM restock AS whole FORCE INDEX (PRIMARY)
LEFT JOIN restock_part AS part ON part.sku_id = whole.sku_id AND part.restock_id = whole.restock_id
WHERE whole.sku_id IN ({list})

-- name: delete_sku_sales
-- Forgets the sales that SKUs were in before their last one.
-- PARAMETERS: sku_id of each
-- RETURNS: rows deleted
-- INVARIANT: the SKUs are locked, and have no order of any sale
DELETE gone
FROM earlier_sale gone FORCE INDEX (PRIMARY)
WHERE gone.sku_id IN ({list})

-- name: delete_skus
-- Deletes SKUs, with their names, and what was asked of the archive.
-- PARAMETERS: sku_id of each
-- RETURNS: rows deleted
-- INVARIANT: the SKUs are locked, have ended, and have no order; keep_deleted_skus comes before
DELETE sku, name, job
FROM inventory AS sku FORCE INDEX (PRIMARY)
LEFT JOIN sku_name AS name ON name.sku_id = sku.sku_id
LEFT JOIN archive_job AS job ON job.sku_id = sku.sku_id
WHERE sku.sku_id IN ({list})

-- name: find_sku_gone_on
-- Finds a SKU that has left a sale, and the sale that it is in now.
-- PARAMETERS: sale_id
-- RETURNS: sku_id, sale_id
-- INVARIANT: the sale is locked
SELECT left_it.sku_id, sku.sale_id
FROM earlier_sale AS left_it FORCE INDEX (earlier_sale_by_sale)
STRAIGHT_JOIN inventory AS sku FORCE INDEX (PRIMARY) ON sku.sku_id = left_it.sku_id
WHERE left_it.sale_id = ?
ORDER BY left_it.sku_id
LIMIT 1

-- name: find_used_sku
-- Finds the first of these SKUs that has an order, of whatever sale and status.
-- PARAMETERS: sku_id of each
-- RETURNS: sku_id
-- INVARIANT: they have ended, so none gets a first one any more
SELECT sku.sku_id
FROM inventory AS sku FORCE INDEX (PRIMARY)
WHERE sku.sku_id IN ({list})
  AND ((SELECT 1 FROM order_hold h FORCE INDEX (PRIMARY) WHERE h.sku_id = sku.sku_id LIMIT 1) IS NOT NULL
    OR (SELECT 1 FROM order_reject r FORCE INDEX (PRIMARY) WHERE r.sku_id = sku.sku_id LIMIT 1) IS NOT NULL
    OR (SELECT 1 FROM archive_hold a FORCE INDEX (PRIMARY) WHERE a.sku_id = sku.sku_id LIMIT 1) IS NOT NULL
    OR (SELECT 1 FROM archive_reject b FORCE INDEX (PRIMARY) WHERE b.sku_id = sku.sku_id LIMIT 1) IS NOT NULL)
ORDER BY sku.sku_id
LIMIT 1

-- name: find_used_sku_of_sale
-- Finds the first SKU of a sale that has an order, of whatever sale and status.
-- PARAMETERS: sale_id
-- RETURNS: sku_id
-- INVARIANT: the sale is locked, and has ended with all its SKUs, so none gets a first one any more; without the limits MariaDB
--   would read all orders
SELECT sku.sku_id
FROM inventory AS sku FORCE INDEX (inventory_by_sale)
WHERE sku.sale_id = ?
  AND ((SELECT 1 FROM order_hold h FORCE INDEX (PRIMARY) WHERE h.sku_id = sku.sku_id LIMIT 1) IS NOT NULL
    OR (SELECT 1 FROM order_reject r FORCE INDEX (PRIMARY) WHERE r.sku_id = sku.sku_id LIMIT 1) IS NOT NULL
    OR (SELECT 1 FROM archive_hold a FORCE INDEX (PRIMARY) WHERE a.sku_id = sku.sku_id LIMIT 1) IS NOT NULL
    OR (SELECT 1 FROM archive_reject b FORCE INDEX (PRIMARY) WHERE b.sku_id = sku.sku_id LIMIT 1) IS NOT NULL)
ORDER BY sku.sku_id
LIMIT 1

-- name: keep_deleted_places
-- Keeps the partitions that buckets of SKUs leave because they are deleted.
-- PARAMETERS: sku_id of each
-- RETURNS: rows written
-- INVARIANT: in the transaction that deletes them; what Redis may still have of them is found by it
INSERT IGNORE INTO former_place (partition_id, sku_id, bucket)
SELECT partition_id, sku_id, bucket
FROM inventory_bucket FORCE INDEX (PRIMARY)
WHERE sku_id IN ({list}) AND partition_id >= 0

-- name: keep_deleted_skus
-- Keeps the highest numbers of SKUs that are deleted.
-- PARAMETERS: sku_id of each
-- RETURNS: rows written
-- INVARIANT: in the transaction that deletes them; they are locked with all their buckets
INSERT INTO deleted_sku (sku_id, sale_no, epoch, version, buckets, mode)
SELECT sku.sku_id, sku.sale_no, MAX(bucket.epoch), MAX(bucket.version), sku.buckets, sku.mode
FROM inventory AS sku FORCE INDEX (PRIMARY)
STRAIGHT_JOIN inventory_bucket AS bucket FORCE INDEX (PRIMARY) ON bucket.sku_id = sku.sku_id
WHERE sku.sku_id IN ({list})
GROUP BY sku.sku_id, sku.sale_no, sku.buckets, sku.mode
ON DUPLICATE KEY UPDATE sale_no = GREATEST(deleted_sku.sale_no, VALUES(sale_no)),
  epoch = GREATEST(deleted_sku.epoch, VALUES(epoch)), version = GREATEST(deleted_sku.version, VALUES(version))

-- name: read_deleted_skus
-- Reads what is remembered of SKUs that were deleted under these ids.
-- PARAMETERS: sku_id of each
-- RETURNS: sku_id, sale_no, epoch, version, buckets, mode
-- INVARIANT: the numbers count only if SKUs of these ids were inserted in the same transaction: none is deleted meanwhile
SELECT sku_id, sale_no, epoch, version, buckets, mode
FROM deleted_sku
WHERE sku_id IN ({list})
