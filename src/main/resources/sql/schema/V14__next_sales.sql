-- The next sale of a SKU that has ended. Releases of before have no such SKUs: none ends before all instances are of level 4.
-- INVARIANT: each statement may run again after a kill.

-- since_epoch: orders of earlier sales have this epoch at most, those of the current one a higher one; 0 in a SKU's first sale.
-- base (V6) is what the orders of earlier sales hold and have bought.
SET @change = (
  SELECT IF(COUNT(*) = 0, 'ALTER TABLE inventory_bucket ADD COLUMN since_epoch BIGINT NOT NULL DEFAULT 0', 'DO 0')
  FROM information_schema.columns
  WHERE table_schema = DATABASE() AND table_name = 'inventory_bucket' AND column_name = 'since_epoch');
PREPARE change_schema FROM @change;
EXECUTE change_schema;
DEALLOCATE PREPARE change_schema;
