-- Puts SKUs that have ended into their next sale.
-- PARAMETERS: a JSON array of [sku_id, first_stock, total_stock, settings, state, thawed_state, sale_no, sale_id,
--   frozen_by_sale, sale_version]
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
