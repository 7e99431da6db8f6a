-- Orders of several SKUs: each line is an order of its bucket, and says which lines there are. cart: for each line, by SKU id,
-- sku_id.bucket.qty.epoch.seq.sale_no, with commas in between; null for an order of one SKU. Releases of before neither write nor
-- read it.
-- INVARIANT: each statement may run again after a kill.

-- None has such an order before all instances are of this level.
INSERT IGNORE INTO instance_level (level) VALUES (5);

SET @change = (
  SELECT IF(COUNT(*) = 0, 'ALTER TABLE order_hold ADD COLUMN cart VARCHAR(2000) CHARACTER SET ascii COLLATE ascii_bin NULL', 'DO 0')
  FROM information_schema.columns
  WHERE table_schema = DATABASE() AND table_name = 'order_hold' AND column_name = 'cart');
PREPARE change_schema FROM @change;
EXECUTE change_schema;
DEALLOCATE PREPARE change_schema;

SET @change = (
  SELECT IF(COUNT(*) = 0, 'ALTER TABLE order_reject ADD COLUMN cart VARCHAR(2000) CHARACTER SET ascii COLLATE ascii_bin NULL', 'DO 0')
  FROM information_schema.columns
  WHERE table_schema = DATABASE() AND table_name = 'order_reject' AND column_name = 'cart');
PREPARE change_schema FROM @change;
EXECUTE change_schema;
DEALLOCATE PREPARE change_schema;

SET @change = (
  SELECT IF(COUNT(*) = 0, 'ALTER TABLE archive_hold ADD COLUMN cart VARCHAR(2000) CHARACTER SET ascii COLLATE ascii_bin NULL', 'DO 0')
  FROM information_schema.columns
  WHERE table_schema = DATABASE() AND table_name = 'archive_hold' AND column_name = 'cart');
PREPARE change_schema FROM @change;
EXECUTE change_schema;
DEALLOCATE PREPARE change_schema;

SET @change = (
  SELECT IF(COUNT(*) = 0, 'ALTER TABLE archive_reject ADD COLUMN cart VARCHAR(2000) CHARACTER SET ascii COLLATE ascii_bin NULL', 'DO 0')
  FROM information_schema.columns
  WHERE table_schema = DATABASE() AND table_name = 'archive_reject' AND column_name = 'cart');
PREPARE change_schema FROM @change;
EXECUTE change_schema;
DEALLOCATE PREPARE change_schema;
