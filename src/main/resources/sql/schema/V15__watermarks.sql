-- The watermarks that the stock of SKUs has passed. Releases of before do not use it, and cross none.
-- INVARIANT: each statement may run again after a kill.

-- below: how many marks the stock is at or below: 0, 1 (LOW) or 2 (LAST as well). crossings: how many were crossed so far, the
-- version of the last one's event. A SKU without a row has crossed none.
CREATE TABLE IF NOT EXISTS watermark (
  sku_id BIGINT NOT NULL PRIMARY KEY,
  below TINYINT NOT NULL,
  crossings BIGINT NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
