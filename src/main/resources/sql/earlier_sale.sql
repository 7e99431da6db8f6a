-- name: find_earlier_skus
-- Finds those of these SKUs that were in a sale, and have left it.
-- PARAMETERS: sale_id, sku_id of each
-- RETURNS: sku_id
-- INVARIANT: these SKUs are locked, so that none leaves it
SELECT sku_id
FROM earlier_sale FORCE INDEX (earlier_sale_by_sale)
WHERE sale_id = ? AND sku_id IN ({list})

-- name: insert_earlier_sales
-- Keeps what SKUs had come to in the sale that they leave.
-- PARAMETERS: sku_id, sale_no, sale_id, first_stock, total_stock, base, sold, settings, state of each
-- RETURNS: nothing
-- INVARIANT: in the transaction that puts them into their next sale; they are locked, and have ended
INSERT INTO earlier_sale (sku_id, sale_no, sale_id, first_stock, total_stock, base, sold, settings, state)
VALUES {rows 9}

-- name: list_earlier_of_sale
-- Lists a page of the SKUs that were in a sale, and are in a later one now.
-- PARAMETERS: sale_id, sku_id after which to begin, limit
-- RETURNS: as list_skus_of_sale, as they have left the sale; units that its orders hold or have bought
-- INVARIANT: in id order; a SKU that leaves the sale meanwhile is found here, or was found by list_skus_of_sale before
SELECT e.sku_id, e.first_stock, e.total_stock, i.buckets, i.mode, e.settings, e.state, e.state,
  (SELECT CAST(JSON_OBJECTAGG(b.bucket, b.partition_id) AS CHAR) FROM inventory_bucket b
   WHERE b.sku_id = e.sku_id) AS placement,
  e.sale_no, e.sale_id, 0, 0, e.base, (SELECT n.name FROM sku_name n WHERE n.sku_id = e.sku_id) AS name, e.sold
FROM earlier_sale e FORCE INDEX (earlier_sale_by_sale)
STRAIGHT_JOIN inventory i FORCE INDEX (PRIMARY) ON i.sku_id = e.sku_id
WHERE e.sale_id = ? AND e.sku_id > ?
ORDER BY e.sku_id
LIMIT ?

-- name: list_rejoined_skus
-- Lists those of these SKUs that are in a later sale than their first one.
-- PARAMETERS: sku_id of each
-- RETURNS: sku_id
-- INVARIANT: in id order, so that they are locked in it
SELECT DISTINCT sku_id
FROM inventory_bucket FORCE INDEX (PRIMARY)
WHERE sku_id IN ({list}) AND since_epoch > 0
ORDER BY sku_id

-- name: read_sale_ids
-- Reads the ids of the sales that SKUs are in and were in.
-- PARAMETERS: sku_id of each, twice
-- RETURNS: sku_id, sale_no, sale_id
-- INVARIANT: of a SKU that goes on to its next sale meanwhile, the earlier ones are in one of both tables
SELECT sku_id, sale_no, sale_id
FROM inventory
WHERE sku_id IN ({list}) AND sale_id IS NOT NULL
UNION ALL
SELECT sku_id, sale_no, sale_id
FROM earlier_sale FORCE INDEX (PRIMARY)
WHERE sku_id IN ({list})

-- name: rejoin_buckets
-- Begins the next sale of buckets that have ended.
-- PARAMETERS: a JSON array of [sku_id, bucket, partition_id, allotted, base, since_epoch, epoch, version, writes before]
-- RETURNS: rows found; must be the length of the array
-- INVARIANT: compare-and-set on locked rows, each found by its key; the epoch rises above since_epoch, so that no grant of
--   an earlier sale is booked any more
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (
  sku_id BIGINT PATH '$[0]',
  bucket INT PATH '$[1]',
  partition_id INT PATH '$[2]',
  allotted BIGINT PATH '$[3]',
  base BIGINT PATH '$[4]',
  since_epoch BIGINT PATH '$[5]',
  epoch BIGINT PATH '$[6]',
  version BIGINT PATH '$[7]',
  writes_before BIGINT PATH '$[8]')) AS begun
STRAIGHT_JOIN inventory_bucket AS kept FORCE INDEX (PRIMARY)
  ON kept.sku_id = begun.sku_id AND kept.bucket = begun.bucket
SET kept.partition_id = begun.partition_id, kept.allotted = begun.allotted, kept.base = begun.base,
  kept.since_epoch = begun.since_epoch, kept.epoch = begun.epoch, kept.version = begun.version, kept.ended = 0,
  kept.withdrawn = 0,
  kept.writes = begun.writes_before + 1
WHERE kept.writes = begun.writes_before AND kept.ended = 1

-- name: rejoin_skus
-- Puts SKUs that have ended into their next sale.
-- PARAMETERS: a JSON array of rows as those of insert_skus
-- RETURNS: rows found; must be the length of the array
-- INVARIANT: the SKUs are locked; the text of freeze_reason goes with the sale that it was about
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (
  sku_id BIGINT PATH '$[0]',
  first_stock BIGINT PATH '$[1]',
  total_stock BIGINT PATH '$[2]',
  settings VARCHAR(1024) PATH '$[3]',
  state VARCHAR(16) PATH '$[4]',
  thawed_state VARCHAR(16) PATH '$[5]',
  sale_no BIGINT PATH '$[6]',
  sale_id VARCHAR(64) PATH '$[7]',
  frozen_by_sale INT PATH '$[8]',
  sale_version BIGINT PATH '$[9]')) AS joined
STRAIGHT_JOIN inventory AS kept FORCE INDEX (PRIMARY) ON kept.sku_id = joined.sku_id
SET kept.first_stock = joined.first_stock, kept.total_stock = joined.total_stock, kept.settings = joined.settings,
  kept.state = joined.state, kept.thawed_state = joined.thawed_state, kept.sale_no = joined.sale_no,
  kept.sale_id = joined.sale_id, kept.frozen_by_sale = joined.frozen_by_sale,
  kept.sale_version = joined.sale_version, kept.freeze_reason = NULL
