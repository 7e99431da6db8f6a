-- The end of a SKU's sale. Releases of before have no such SKUs: none ends before all instances are of level 4.
-- INVARIANT: each statement may run again after a kill.

-- ended: 1 once the bucket has ended, and Redis holds nothing of it any more, or is about to.
SET @change = (
  SELECT IF(COUNT(*) = 0,
    'ALTER TABLE inventory_bucket ADD COLUMN ended TINYINT NOT NULL DEFAULT 0, ADD KEY inventory_bucket_by_end (partition_id, ended, sku_id, bucket)',
    'DO 0')
  FROM information_schema.columns
  WHERE table_schema = DATABASE() AND table_name = 'inventory_bucket' AND column_name = 'ended');
PREPARE change_schema FROM @change;
EXECUTE change_schema;
DEALLOCATE PREPARE change_schema;

-- What is under way keeps its SKU from its end.
SET @change = (
  SELECT IF(COUNT(*) = 0,
    'ALTER TABLE restock ADD KEY restock_by_status (sku_id, status)',
    'DO 0')
  FROM information_schema.statistics
  WHERE table_schema = DATABASE() AND table_name = 'restock' AND index_name = 'restock_by_status');
PREPARE change_schema FROM @change;
EXECUTE change_schema;
DEALLOCATE PREPARE change_schema;

INSERT IGNORE INTO instance_level (level) VALUES (4);
