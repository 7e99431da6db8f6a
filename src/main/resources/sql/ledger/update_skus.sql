-- Updates settings and state of SKUs.
-- PARAMETERS: a JSON array of [sku_id, settings, state, thawed_state, frozen_by_sale, sale_version]
-- RETURNS: rows found; must be the length of the array
-- INVARIANT: the SKUs are locked
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (
  sku_id BIGINT PATH '$[0]',
  settings VARCHAR(1024) PATH '$[1]',
  state VARCHAR(16) PATH '$[2]',
  thawed_state VARCHAR(16) PATH '$[3]',
  frozen_by_sale INT PATH '$[4]',
  sale_version BIGINT PATH '$[5]')) AS changed
STRAIGHT_JOIN inventory AS kept FORCE INDEX (PRIMARY) ON kept.sku_id = changed.sku_id
SET kept.settings = changed.settings, kept.state = changed.state, kept.thawed_state = changed.thawed_state,
  kept.frozen_by_sale = changed.frozen_by_sale, kept.sale_version = changed.sale_version
