-- Creates SKUs.
-- PARAMETERS: sku_id, total_stock, settings, state, first_stock, buckets, mode, thawed_state, sale_no, sale_id,
--   frozen_by_sale, sale_version of each
-- RETURNS: nothing; a duplicate key if one was inserted concurrently
-- INVARIANT: first_stock, buckets and mode never change
INSERT INTO inventory (
  sku_id, total_stock, settings, state, first_stock, buckets, mode, thawed_state, sale_no, sale_id, frozen_by_sale,
  sale_version)
VALUES {rows 12}
