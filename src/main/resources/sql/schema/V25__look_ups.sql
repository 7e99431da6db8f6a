-- Orders are found by their buyer, the name that their caller gave them, and their payments.
-- INVARIANT: each statement may run again after a kill.

-- hash: of what the order is looked up by, and its kind. found_at: when the order was granted. order_token: that of the whole order.
-- Written once the event that tells of it was sent. A row counts only if the order has that buyer, name or payment.
CREATE TABLE IF NOT EXISTS order_lookup (
  hash BIGINT NOT NULL,
  found_at BIGINT NOT NULL,
  sku_id BIGINT NOT NULL,
  bucket INT NOT NULL,
  order_token BINARY(16) NOT NULL,
  PRIMARY KEY (hash, found_at, sku_id, bucket, order_token)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
