-- The targets that events are sent to, and the events that a target has not accepted.
-- INVARIANT: each statement may run again after a kill.

-- secret: signs, and until former_until former_secret does as well. types: words with commas, or *. event_cursor: behind the last event
-- that was accepted or is in webhook_delivery. stopped: why nothing is sent any more, or empty. owner: the instance that sends, until
-- leased_until. All times are epoch milliseconds of this database.
CREATE TABLE IF NOT EXISTS webhook (
  webhook_id VARCHAR(64) NOT NULL PRIMARY KEY,
  url VARCHAR(1024) NOT NULL,
  secret VARCHAR(128) NOT NULL,
  former_secret VARCHAR(128) NOT NULL,
  former_until BIGINT NOT NULL,
  types VARCHAR(512) NOT NULL,
  form VARCHAR(8) NOT NULL,
  event_cursor TEXT NOT NULL,
  stopped VARCHAR(255) NOT NULL DEFAULT '',
  owner VARCHAR(64) NOT NULL DEFAULT '',
  leased_until BIGINT NOT NULL DEFAULT 0
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- message_id: the webhook-id. order_key: what events are in order for: an order token, a SKU, a buyer. first_at: when it was not accepted.
-- state: WAITING, in the order of the ids for each order_key; FAILED once it was not accepted for three days.
CREATE TABLE IF NOT EXISTS webhook_delivery (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  webhook_id VARCHAR(64) NOT NULL,
  message_id VARCHAR(64) NOT NULL,
  event_type VARCHAR(32) NOT NULL,
  order_key VARCHAR(160) NOT NULL,
  event MEDIUMTEXT NOT NULL,
  state VARCHAR(8) NOT NULL,
  attempts INT NOT NULL,
  first_at BIGINT NOT NULL,
  next_at BIGINT NOT NULL,
  why VARCHAR(255) NOT NULL,
  UNIQUE KEY webhook_delivery_message (webhook_id, message_id),
  KEY webhook_delivery_list (webhook_id, id),
  KEY webhook_delivery_due (webhook_id, state, next_at, id),
  KEY webhook_delivery_oldest (webhook_id, state, first_at),
  KEY webhook_delivery_order (order_key, webhook_id, state, id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
