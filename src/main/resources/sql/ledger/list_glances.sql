-- Shows of each partition that ever had an owner what its owner asks for while nothing happens.
-- PARAMETERS: none
-- RETURNS: partition_id, term, next_offset, the database's clock in epoch milliseconds, then 1 or 0 for each kind of
--   outbox row that is PENDING: EVENT, RELEASE, RESTOCK, DEAD
-- INVARIANT: one entry of an index for each partition and kind, however many rows are PENDING; the clock is that of the
--   statement's begin, before what it reads, so everything committed before that time is seen
SELECT
  partition_id,
  term,
  next_offset,
  CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED),
  EXISTS (
    SELECT 1 FROM outbox
    WHERE outbox.partition_id = partition_fence.partition_id AND kind = 'EVENT' AND status = 'PENDING'),
  EXISTS (
    SELECT 1 FROM outbox
    WHERE outbox.partition_id = partition_fence.partition_id AND kind = 'RELEASE' AND status = 'PENDING'),
  EXISTS (
    SELECT 1 FROM outbox
    WHERE outbox.partition_id = partition_fence.partition_id AND kind = 'RESTOCK' AND status = 'PENDING'),
  EXISTS (
    SELECT 1 FROM outbox
    WHERE outbox.partition_id = partition_fence.partition_id AND kind = 'DEAD' AND status = 'PENDING')
FROM partition_fence FORCE INDEX (PRIMARY)
WHERE partition_fence.partition_id >= 0
