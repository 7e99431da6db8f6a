-- Units of refunded orders that leave the stock within their sale.
-- INVARIANT: each statement may run again after a kill.

-- withdrawn: units of orders of the current sale that have left the stock with their refund. Redis goes on counting them, in its total
-- and as taken, until the SKU begins its next sale. Above 0 only in a ledger of level 7: the release before does not know it.
SET @change = (
  SELECT IF(COUNT(*) = 0, 'ALTER TABLE inventory_bucket ADD COLUMN withdrawn BIGINT NOT NULL DEFAULT 0', 'DO 0')
  FROM information_schema.columns
  WHERE table_schema = DATABASE() AND table_name = 'inventory_bucket' AND column_name = 'withdrawn');
PREPARE change_schema FROM @change;
EXECUTE change_schema;
DEALLOCATE PREPARE change_schema;

INSERT IGNORE INTO instance_level (level) VALUES (7);
