-- Writes down the watermarks that SKUs have passed.
-- PARAMETERS: per row sku_id, below, crossings
-- RETURNS: rows written
-- INVARIANT: the fence of the SKU's first bucket is locked, and crossings rises
INSERT INTO watermark (sku_id, below, crossings)
VALUES {rows 3}
ON DUPLICATE KEY UPDATE
  below = VALUES(below),
  crossings = VALUES(crossings)
