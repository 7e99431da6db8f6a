-- Creates a SKU.
-- PARAMETERS: sku_id, total_stock, settings, state, first_stock, buckets, mode, thawed_state
-- RETURNS: nothing; a duplicate key if it was inserted concurrently
-- INVARIANT: first_stock, buckets and mode never change
INSERT INTO inventory (
  sku_id, total_stock, settings, state, first_stock, buckets, mode, thawed_state)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)
