-- How far the owner of a partition has looked at its holds by their payment deadlines, for its successor.
-- due_from: every hold with an earlier deadline has ended. due_all_at: when all holds were last looked at. 0: not known.
-- INVARIANT: each statement may run again after a kill.

SET @change = (
  SELECT IF(COUNT(*) = 0, 'ALTER TABLE partition_reading ADD COLUMN due_from BIGINT NOT NULL DEFAULT 0, ADD COLUMN due_all_at BIGINT NOT NULL DEFAULT 0', 'DO 0')
  FROM information_schema.columns
  WHERE table_schema = DATABASE() AND table_name = 'partition_reading' AND column_name = 'due_all_at');
PREPARE change_schema FROM @change;
EXECUTE change_schema;
DEALLOCATE PREPARE change_schema;
