-- The sales that SKUs were in before their current one. Releases of before do not write it: a SKU that they put into its next sale
-- is missing here, and nothing else is wrong.
-- INVARIANT: each statement may run again after a kill.

-- The SKU as it has left the sale. total_stock and base: as of then, so the sale had total_stock - base units. sold: what its orders
-- hold or have bought; falls with units that come back. state: ENDED or ARCHIVED. A SKU is in a sale once.
CREATE TABLE IF NOT EXISTS earlier_sale (
  sku_id BIGINT NOT NULL,
  sale_no BIGINT NOT NULL,
  sale_id VARCHAR(64) NOT NULL,
  first_stock BIGINT NOT NULL,
  total_stock BIGINT NOT NULL,
  base BIGINT NOT NULL,
  sold BIGINT NOT NULL,
  settings TEXT NOT NULL,
  state VARCHAR(16) NOT NULL,
  PRIMARY KEY (sku_id, sale_no),
  UNIQUE KEY earlier_sale_by_sale (sale_id, sku_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
