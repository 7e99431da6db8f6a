-- The ledger: orders, the append-only rows, the counters derived from them, and what owners and instances work on.
-- INVARIANT: each statement may run again after a kill; runs alike on MySQL 8.0.16+ and MariaDB 10.6+.
--   Times are epoch milliseconds, JSON is TEXT, and texts compare byte by byte.

-- frozen_by_sale: whether the SKU is FROZEN only because its sale is. sale_version: the version of the sale that it has taken over.
CREATE TABLE IF NOT EXISTS inventory (
  sku_id BIGINT NOT NULL PRIMARY KEY,
  total_stock BIGINT NOT NULL,
  settings TEXT NOT NULL,
  state VARCHAR(16) NOT NULL,
  first_stock BIGINT NOT NULL,
  buckets INT NOT NULL,
  mode VARCHAR(16) NOT NULL,
  thawed_state VARCHAR(16) NOT NULL,
  freeze_reason VARCHAR(512) NULL,
  sale_no BIGINT NOT NULL DEFAULT 0,
  sale_id VARCHAR(64) NULL,
  frozen_by_sale TINYINT NOT NULL DEFAULT 0,
  sale_version BIGINT NOT NULL DEFAULT 0,
  KEY inventory_by_sale (sale_id, sku_id),
  KEY inventory_behind (sale_id, sale_version),
  CHECK (total_stock >= 0),
  CHECK (buckets >= 1)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- base: what the orders of earlier sales hold and have bought. writes: how many transactions have appended rows of this bucket.
-- rejects, notes: how many of its orders were rejected, how many rows of order_note they have. archived: how many rows are in the
-- archive. ended: 1 once the bucket has ended, and Redis holds nothing of it any more, or is about to. since_epoch: orders of earlier
-- sales have this epoch at most, those of the current one a higher one; 0 in a SKU's first sale.
CREATE TABLE IF NOT EXISTS inventory_bucket (
  sku_id BIGINT NOT NULL,
  bucket INT NOT NULL,
  partition_id INT NOT NULL,
  allotted BIGINT NOT NULL,
  held BIGINT NOT NULL DEFAULT 0,
  sold BIGINT NOT NULL DEFAULT 0,
  epoch BIGINT NOT NULL DEFAULT 1,
  version BIGINT NOT NULL DEFAULT 1,
  base BIGINT NOT NULL DEFAULT 0,
  writes BIGINT NOT NULL DEFAULT 0,
  rejects BIGINT NOT NULL DEFAULT 0,
  notes BIGINT NOT NULL DEFAULT 0,
  ended TINYINT NOT NULL DEFAULT 0,
  archived BIGINT NOT NULL DEFAULT 0,
  since_epoch BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (sku_id, bucket),
  KEY inventory_bucket_by_partition (partition_id, sku_id, bucket),
  KEY inventory_bucket_by_end (partition_id, ended, sku_id, bucket),
  CHECK (held >= 0),
  CHECK (sold >= 0),
  CHECK (held + sold <= allotted)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- A partition that a bucket left for its SKU's next sale. A row of one that is there again counts for nothing.
CREATE TABLE IF NOT EXISTS former_place (
  partition_id INT NOT NULL,
  sku_id BIGINT NOT NULL,
  bucket INT NOT NULL,
  PRIMARY KEY (partition_id, sku_id, bucket)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- below: how many watermarks the stock of a SKU is at or below: 0, 1 (LOW) or 2 (LAST as well). crossings: how many were crossed so
-- far, the version of the last one's event. A SKU without a row has crossed none.
CREATE TABLE IF NOT EXISTS watermark (
  sku_id BIGINT NOT NULL PRIMARY KEY,
  below TINYINT NOT NULL,
  crossings BIGINT NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- SKUs that open and close together. state: SCHEDULED, OPEN or CLOSED. version: rises with each change of terms or state, so that
-- SKUs which have not taken it over are found. state_version: the version of the last change of state. behind: whether there may be
-- such SKUs.
CREATE TABLE IF NOT EXISTS sale (
  sale_id VARCHAR(64) NOT NULL PRIMARY KEY,
  name VARCHAR(128) NOT NULL,
  opens_at BIGINT NOT NULL,
  closes_at BIGINT NOT NULL,
  payment_window BIGINT NOT NULL,
  carts TINYINT NOT NULL,
  ticket TINYINT NOT NULL,
  state VARCHAR(16) NOT NULL,
  frozen TINYINT NOT NULL DEFAULT 0,
  version BIGINT NOT NULL,
  state_version BIGINT NOT NULL,
  behind TINYINT NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL,
  KEY sale_behind (behind, sale_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- A SKU as it has left a sale; it is in a sale once. total_stock and base: as of then, so the sale had total_stock - base units. sold:
-- what its orders hold or have bought; falls with units that come back. state: ENDED or ARCHIVED.
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

-- What one instance counted of a sale in one interval, in JSON: {"refused": {"sold-out": 3}, "granted": {"5": 7}}, where 5 is the time
-- in milliseconds within which 7 grants were durable. Written only where something was counted.
CREATE TABLE IF NOT EXISTS sale_count (
  sale_id VARCHAR(64) NOT NULL,
  began_at BIGINT NOT NULL,
  instance_id VARCHAR(64) NOT NULL,
  length_ms BIGINT NOT NULL,
  counts TEXT NOT NULL,
  PRIMARY KEY (sale_id, began_at, instance_id),
  KEY sale_count_by_age (began_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- An alarm that one instance raised, some times within a minute.
CREATE TABLE IF NOT EXISTS incident (
  first_at BIGINT NOT NULL,
  instance_id VARCHAR(64) NOT NULL,
  alarm VARCHAR(64) NOT NULL,
  last_at BIGINT NOT NULL,
  times BIGINT NOT NULL,
  text VARCHAR(512) NOT NULL,
  PRIMARY KEY (first_at, instance_id, alarm)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- An order is its hold; what happens to it later is one more row, and no row is changed again.
-- order_token: the hash in the public token, whose other parts are the columns sku_id and bucket.
-- write_no: the bucket's number of writes, this one included. cart: for each line, by SKU id, sku_id.bucket.qty.epoch.seq.sale_no,
-- with commas in between; null for an order of one SKU.
CREATE TABLE IF NOT EXISTS order_hold (
  sku_id BIGINT NOT NULL,
  bucket INT NOT NULL,
  epoch BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  order_token BINARY(16) NOT NULL,
  user_id VARCHAR(128) NOT NULL,
  partition_id INT NOT NULL,
  qty INT NOT NULL,
  pay_before BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  booked_at BIGINT NOT NULL,
  reference VARCHAR(64) NULL,
  sale_no BIGINT NOT NULL DEFAULT 0,
  write_no BIGINT NOT NULL,
  cart VARCHAR(2000) CHARACTER SET ascii COLLATE ascii_bin NULL,
  PRIMARY KEY (sku_id, bucket, epoch, seq),
  UNIQUE KEY order_hold_by_token (sku_id, bucket, order_token),
  KEY order_hold_by_due (partition_id, pay_before)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Step 1 ends the hold, so the primary key lets it end once. reference: of a payment or a refund.
-- LATE: a payment came after the end; no unit moves.
CREATE TABLE IF NOT EXISTS stock_move (
  sku_id BIGINT NOT NULL,
  bucket INT NOT NULL,
  epoch BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  step SMALLINT NOT NULL,
  action VARCHAR(16) NOT NULL,
  reason VARCHAR(16) NULL,
  qty INT NOT NULL,
  created_at BIGINT NOT NULL,
  reference VARCHAR(128) NULL,
  write_no BIGINT NOT NULL,
  PRIMARY KEY (sku_id, bucket, epoch, seq, step),
  CHECK (action IN ('CONFIRM', 'CANCEL', 'REFUND', 'LATE')),
  CHECK ((step = 1) = (action IN ('CONFIRM', 'CANCEL'))),
  CHECK (step >= 1)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Orders that never held a unit; their seq and epoch may be anybody's. Step 1 is the rejection, step 2 a payment that
-- came for it, with its reference. noted_at: when the step was made. sale_no, cart: as of a hold.
CREATE TABLE IF NOT EXISTS order_reject (
  sku_id BIGINT NOT NULL,
  bucket INT NOT NULL,
  order_token BINARY(16) NOT NULL,
  step SMALLINT NOT NULL,
  user_id VARCHAR(128) NOT NULL,
  partition_id INT NOT NULL,
  qty INT NOT NULL,
  seq BIGINT NOT NULL,
  epoch BIGINT NOT NULL,
  reason VARCHAR(16) NOT NULL,
  pay_before BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  noted_at BIGINT NOT NULL,
  reference VARCHAR(128) NULL,
  sale_no BIGINT NOT NULL,
  cart VARCHAR(2000) CHARACTER SET ascii COLLATE ascii_bin NULL,
  PRIMARY KEY (sku_id, bucket, order_token, step),
  CHECK (step IN (1, 2))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- What is told of an order beside its status. PAID: the payment of an order that was confirmed without naming one. DOUBLE: a further
-- payment. EXTENDED: pay_before is the new deadline, which is 0 in all other rows. ASKED, DROPPED: a refund of qty units was requested,
-- was rejected. reference: of the payment, or the id of the refund. epoch, seq: of the order, so that an extension has the same place
-- among deadlines as a hold.
CREATE TABLE IF NOT EXISTS order_note (
  sku_id BIGINT NOT NULL,
  bucket INT NOT NULL,
  order_token BINARY(16) NOT NULL,
  note_no SMALLINT NOT NULL,
  kind VARCHAR(16) NOT NULL,
  epoch BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  partition_id INT NOT NULL,
  reference VARCHAR(128) NULL,
  qty INT NOT NULL,
  pay_before BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (sku_id, bucket, order_token, note_no),
  KEY order_note_by_due (partition_id, pay_before, sku_id, bucket, epoch, seq),
  CHECK (kind IN ('PAID', 'DOUBLE', 'EXTENDED', 'ASKED', 'DROPPED')),
  CHECK ((kind = 'EXTENDED') = (pay_before > 0)),
  CHECK (note_no >= 1)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Changes of a bucket's allotment. row_token: <restock_id>#<bucket> with what follows it.
CREATE TABLE IF NOT EXISTS restock_row (
  sku_id BIGINT NOT NULL,
  row_token VARCHAR(96) NOT NULL,
  bucket INT NOT NULL,
  qty BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  write_no BIGINT NOT NULL,
  PRIMARY KEY (sku_id, row_token)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- The columns of order_hold. By buyer, so that a buyer can be forgotten; order_hold has no such key, because each booking would
-- pay for it.
CREATE TABLE IF NOT EXISTS archive_hold (
  sku_id BIGINT NOT NULL,
  bucket INT NOT NULL,
  epoch BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  order_token BINARY(16) NOT NULL,
  user_id VARCHAR(128) NOT NULL,
  partition_id INT NOT NULL,
  qty INT NOT NULL,
  pay_before BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  booked_at BIGINT NOT NULL,
  reference VARCHAR(64) NULL,
  sale_no BIGINT NOT NULL,
  write_no BIGINT NOT NULL,
  cart VARCHAR(2000) CHARACTER SET ascii COLLATE ascii_bin NULL,
  PRIMARY KEY (sku_id, bucket, epoch, seq),
  UNIQUE KEY archive_hold_by_token (sku_id, bucket, order_token),
  KEY archive_hold_by_user (user_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- The columns of stock_move. A payment that comes after that for a canceled order is a row here, too.
CREATE TABLE IF NOT EXISTS archive_move (
  sku_id BIGINT NOT NULL,
  bucket INT NOT NULL,
  epoch BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  step SMALLINT NOT NULL,
  action VARCHAR(16) NOT NULL,
  reason VARCHAR(16) NULL,
  qty INT NOT NULL,
  created_at BIGINT NOT NULL,
  reference VARCHAR(128) NULL,
  write_no BIGINT NOT NULL,
  PRIMARY KEY (sku_id, bucket, epoch, seq, step)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- The columns of order_note, which are in no order of deadlines any more.
CREATE TABLE IF NOT EXISTS archive_note (
  sku_id BIGINT NOT NULL,
  bucket INT NOT NULL,
  order_token BINARY(16) NOT NULL,
  note_no SMALLINT NOT NULL,
  kind VARCHAR(16) NOT NULL,
  epoch BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  partition_id INT NOT NULL,
  reference VARCHAR(128) NULL,
  qty INT NOT NULL,
  pay_before BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (sku_id, bucket, order_token, note_no)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- The columns of order_reject.
CREATE TABLE IF NOT EXISTS archive_reject (
  sku_id BIGINT NOT NULL,
  bucket INT NOT NULL,
  order_token BINARY(16) NOT NULL,
  step SMALLINT NOT NULL,
  user_id VARCHAR(128) NOT NULL,
  partition_id INT NOT NULL,
  qty INT NOT NULL,
  seq BIGINT NOT NULL,
  epoch BIGINT NOT NULL,
  reason VARCHAR(16) NOT NULL,
  pay_before BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  noted_at BIGINT NOT NULL,
  reference VARCHAR(128) NULL,
  sale_no BIGINT NOT NULL,
  cart VARCHAR(2000) CHARACTER SET ascii COLLATE ascii_bin NULL,
  PRIMARY KEY (sku_id, bucket, order_token, step),
  KEY archive_reject_by_user (user_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- What the archived rows of a bucket add up to, by action; they take the place of these rows in every sum.
CREATE TABLE IF NOT EXISTS archive_sum (
  sku_id BIGINT NOT NULL,
  bucket INT NOT NULL,
  action VARCHAR(16) NOT NULL,
  units BIGINT NOT NULL,
  entries BIGINT NOT NULL,
  PRIMARY KEY (sku_id, bucket, action),
  CHECK (action IN ('HOLD', 'CONFIRM', 'CANCEL', 'REFUND'))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- A SKU whose orders are moved to the archive: those of sales up to sale_no. The place of the hold that was looked at last:
-- bucket, epoch, seq. left_behind: how many were passed because they had not ended. due_at: when to go on; null once all are moved.
CREATE TABLE IF NOT EXISTS archive_job (
  sku_id BIGINT NOT NULL PRIMARY KEY,
  sale_no BIGINT NOT NULL,
  bucket INT NOT NULL DEFAULT 0,
  epoch BIGINT NOT NULL DEFAULT 0,
  seq BIGINT NOT NULL DEFAULT 0,
  left_behind BIGINT NOT NULL DEFAULT 0,
  due_at BIGINT NULL,
  KEY archive_job_by_time (due_at, sku_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- A buyer whose id is replaced by a pseudonym. phase: which table is looked through; sku_id, bucket, epoch, seq, order_token: up to
-- where. replaced, left_over: orders so far that got the pseudonym, that are of running sales. done_at: 0 before the end.
CREATE TABLE IF NOT EXISTS forget_job (
  user_id VARCHAR(128) NOT NULL PRIMARY KEY,
  pseudonym VARCHAR(64) NOT NULL,
  phase SMALLINT NOT NULL DEFAULT 0,
  sku_id BIGINT NOT NULL DEFAULT 0,
  bucket INT NOT NULL DEFAULT 0,
  epoch BIGINT NOT NULL DEFAULT 0,
  seq BIGINT NOT NULL DEFAULT 0,
  order_token VARBINARY(16) NOT NULL DEFAULT '',
  replaced BIGINT NOT NULL DEFAULT 0,
  left_over BIGINT NOT NULL DEFAULT 0,
  done_at BIGINT NOT NULL DEFAULT 0,
  KEY forget_job_by_end (done_at, user_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- The holds of SKUs that sell in the ledger alone, by their buyers, for the limit per buyer: the holds of the others need no such
-- index. Deleted when their bucket ends.
CREATE TABLE IF NOT EXISTS direct_hold (
  sku_id BIGINT NOT NULL,
  bucket INT NOT NULL,
  user_id VARCHAR(128) NOT NULL,
  epoch BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  PRIMARY KEY (sku_id, bucket, user_id, epoch, seq)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- The events of these SKUs if there is no order log, in an order in which each is committed before the next has its number.
CREATE TABLE IF NOT EXISTS direct_event (
  event_no BIGINT NOT NULL PRIMARY KEY,
  payload MEDIUMTEXT NOT NULL,
  numbered_at BIGINT NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- What instances do in turn for these SKUs; the row of a duty is locked meanwhile. value: of EVENTS, the last number.
CREATE TABLE IF NOT EXISTS direct_duty (
  duty VARCHAR(16) NOT NULL PRIMARY KEY,
  value BIGINT NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

INSERT IGNORE INTO direct_duty (duty, value) VALUES ('EVENTS', 0), ('MARKS', 0), ('READING', 0);

-- payload: a list of entries.
CREATE TABLE IF NOT EXISTS outbox (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  partition_id INT NOT NULL,
  kind VARCHAR(16) NOT NULL,
  event_type VARCHAR(32) NOT NULL,
  payload MEDIUMTEXT NOT NULL,
  status VARCHAR(16) NOT NULL DEFAULT 'PENDING',
  created_at BIGINT NOT NULL,
  KEY outbox_by_pass (partition_id, kind, status, id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- open_key: kind and bucket while the request is open, so that there is one of each.
CREATE TABLE IF NOT EXISTS owner_request (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  partition_id INT NOT NULL,
  kind VARCHAR(16) NOT NULL,
  payload TEXT NOT NULL,
  status VARCHAR(16) NOT NULL DEFAULT 'OPEN',
  answer TEXT NULL,
  open_key VARCHAR(64) NULL,
  created_at BIGINT NOT NULL,
  UNIQUE KEY owner_request_open (open_key),
  KEY owner_request_by_partition (partition_id, status, id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- unsold: what a refused take-back could have had. What is under way keeps its SKU from its end.
CREATE TABLE IF NOT EXISTS restock (
  sku_id BIGINT NOT NULL,
  restock_id VARCHAR(64) NOT NULL,
  qty BIGINT NOT NULL,
  status VARCHAR(16) NOT NULL,
  rounds INT NOT NULL DEFAULT 0,
  unsold BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (sku_id, restock_id),
  KEY restock_by_status (sku_id, status)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

CREATE TABLE IF NOT EXISTS restock_part (
  sku_id BIGINT NOT NULL,
  restock_id VARCHAR(64) NOT NULL,
  bucket INT NOT NULL,
  round INT NOT NULL,
  units BIGINT NOT NULL,
  status VARCHAR(16) NOT NULL DEFAULT 'PENDING',
  PRIMARY KEY (sku_id, restock_id, round, bucket)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

CREATE TABLE IF NOT EXISTS correction (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  what VARCHAR(255) NOT NULL,
  `before` TEXT NOT NULL,
  `after` TEXT NOT NULL,
  why TEXT NOT NULL,
  created_at BIGINT NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

CREATE TABLE IF NOT EXISTS partition_fence (
  partition_id INT NOT NULL PRIMARY KEY,
  term BIGINT NOT NULL,
  next_offset BIGINT NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- When the owner of a partition could last read the order log and the ledger, and for how long orders may be paid beyond their time
-- since it could not. due_from: every hold with an earlier deadline has ended. due_all_at: when all holds were last looked at; of both
-- 0 is not known.
CREATE TABLE IF NOT EXISTS partition_reading (
  partition_id INT NOT NULL PRIMARY KEY,
  read_at BIGINT NOT NULL,
  shift_ms BIGINT NOT NULL,
  shift_until BIGINT NOT NULL,
  due_from BIGINT NOT NULL,
  due_all_at BIGINT NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- The last report of each partition: how Redis and the ledger compared.
CREATE TABLE IF NOT EXISTS reconcile_report (
  partition_id INT NOT NULL PRIMARY KEY,
  report TEXT NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- The buyers who may not place orders for a while.
-- All times are epoch milliseconds of this database. banned_until: 0 where the ban was lifted.
-- watched_until: until then one more overrun is a ban. version: rises with each change of the row.
-- forget_at: when the row may be deleted.
CREATE TABLE IF NOT EXISTS blacklist (
  user_id VARCHAR(128) NOT NULL PRIMARY KEY,
  banned_at BIGINT NOT NULL,
  banned_until BIGINT NOT NULL,
  watched_until BIGINT NOT NULL,
  reason VARCHAR(256) NOT NULL,
  banned_by VARCHAR(64) NOT NULL,
  version BIGINT NOT NULL,
  forget_at BIGINT NOT NULL,
  KEY blacklist_version (version, user_id),
  KEY blacklist_forget (forget_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- The values that all instances share.
CREATE TABLE IF NOT EXISTS foundation (
  name VARCHAR(64) NOT NULL PRIMARY KEY,
  value VARCHAR(255) NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- The levels that may run. Raising the level deletes the lower ones, and then the database itself refuses the row without which an
-- instance of a lower one does nothing, also one that has begun to start.
CREATE TABLE IF NOT EXISTS instance_level (
  level INT NOT NULL PRIMARY KEY
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

INSERT IGNORE INTO instance_level (level) VALUES (6);

-- The instances on this ledger, with those of their settings that the others must heed. seen_at: when the instance last wrote its row.
-- level: what it understands.
CREATE TABLE IF NOT EXISTS service_instance (
  instance_id VARCHAR(64) NOT NULL PRIMARY KEY,
  grant_deadline_ms BIGINT NOT NULL,
  sweep_after_ms BIGINT NOT NULL,
  seen_at BIGINT NOT NULL,
  level INT NOT NULL,
  CONSTRAINT instance_of_level_that_may_run FOREIGN KEY (level) REFERENCES instance_level (level) ON DELETE CASCADE
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- The views are read with the rights of who reads them: who made them may be gone by then.
CREATE OR REPLACE SQL SECURITY INVOKER VIEW orders AS
SELECT
  CONVERT(CONCAT(h.sku_id, '.', h.bucket, '.',
    REPLACE(REPLACE(TRIM(TRAILING '=' FROM TO_BASE64(h.order_token)), '+', '-'), '/', '_')) USING utf8mb4)
    COLLATE utf8mb4_bin AS order_token,
  h.user_id AS user_id,
  h.sku_id AS sku_id,
  h.bucket AS bucket,
  h.partition_id AS partition_id,
  h.qty AS qty,
  h.seq AS seq,
  h.epoch AS epoch,
  CASE
    WHEN ended.action IS NULL THEN 'PENDING'
    WHEN ended.action = 'CANCEL' THEN 'CANCELED'
    WHEN (SELECT COALESCE(SUM(m.qty), 0) FROM stock_move m
      WHERE m.sku_id = h.sku_id AND m.bucket = h.bucket AND m.epoch = h.epoch AND m.seq = h.seq
        AND m.action = 'REFUND') = h.qty THEN 'REFUNDED'
    ELSE 'CONFIRMED' END AS status,
  ended.reason AS reason,
  CAST(1
    + (SELECT COUNT(*) FROM stock_move m
      WHERE m.sku_id = h.sku_id AND m.bucket = h.bucket AND m.epoch = h.epoch AND m.seq = h.seq)
    + (SELECT COUNT(*) FROM order_note n
      WHERE n.sku_id = h.sku_id AND n.bucket = h.bucket AND n.order_token = h.order_token) AS SIGNED) AS version,
  GREATEST(h.pay_before, COALESCE((SELECT MAX(n.pay_before) FROM order_note n
    WHERE n.sku_id = h.sku_id AND n.bucket = h.bucket AND n.order_token = h.order_token), 0)) AS pay_before,
  (SELECT MAX(m.created_at) FROM stock_move m
    WHERE m.sku_id = h.sku_id AND m.bucket = h.bucket AND m.epoch = h.epoch AND m.seq = h.seq
      AND m.action = 'LATE') AS late_paid_at,
  h.created_at AS created_at,
  GREATEST(
    COALESCE((SELECT MAX(m.created_at) FROM stock_move m
      WHERE m.sku_id = h.sku_id AND m.bucket = h.bucket AND m.epoch = h.epoch AND m.seq = h.seq), h.booked_at),
    COALESCE((SELECT MAX(n.created_at) FROM order_note n
      WHERE n.sku_id = h.sku_id AND n.bucket = h.bucket AND n.order_token = h.order_token), h.booked_at)) AS updated_at,
  h.sale_no AS sale_no,
  h.reference AS reference
FROM order_hold h
LEFT JOIN stock_move ended
  ON ended.sku_id = h.sku_id AND ended.bucket = h.bucket AND ended.epoch = h.epoch AND ended.seq = h.seq
    AND ended.step = 1
UNION ALL
SELECT
  CONVERT(CONCAT(h.sku_id, '.', h.bucket, '.',
    REPLACE(REPLACE(TRIM(TRAILING '=' FROM TO_BASE64(h.order_token)), '+', '-'), '/', '_')) USING utf8mb4)
    COLLATE utf8mb4_bin AS order_token,
  h.user_id AS user_id,
  h.sku_id AS sku_id,
  h.bucket AS bucket,
  h.partition_id AS partition_id,
  h.qty AS qty,
  h.seq AS seq,
  h.epoch AS epoch,
  CASE
    WHEN ended.action IS NULL THEN 'PENDING'
    WHEN ended.action = 'CANCEL' THEN 'CANCELED'
    WHEN (SELECT COALESCE(SUM(m.qty), 0) FROM archive_move m
      WHERE m.sku_id = h.sku_id AND m.bucket = h.bucket AND m.epoch = h.epoch AND m.seq = h.seq
        AND m.action = 'REFUND') = h.qty THEN 'REFUNDED'
    ELSE 'CONFIRMED' END AS status,
  ended.reason AS reason,
  CAST(1
    + (SELECT COUNT(*) FROM archive_move m
      WHERE m.sku_id = h.sku_id AND m.bucket = h.bucket AND m.epoch = h.epoch AND m.seq = h.seq)
    + (SELECT COUNT(*) FROM archive_note n
      WHERE n.sku_id = h.sku_id AND n.bucket = h.bucket AND n.order_token = h.order_token) AS SIGNED) AS version,
  GREATEST(h.pay_before, COALESCE((SELECT MAX(n.pay_before) FROM archive_note n
    WHERE n.sku_id = h.sku_id AND n.bucket = h.bucket AND n.order_token = h.order_token), 0)) AS pay_before,
  (SELECT MAX(m.created_at) FROM archive_move m
    WHERE m.sku_id = h.sku_id AND m.bucket = h.bucket AND m.epoch = h.epoch AND m.seq = h.seq
      AND m.action = 'LATE') AS late_paid_at,
  h.created_at AS created_at,
  GREATEST(
    COALESCE((SELECT MAX(m.created_at) FROM archive_move m
      WHERE m.sku_id = h.sku_id AND m.bucket = h.bucket AND m.epoch = h.epoch AND m.seq = h.seq), h.booked_at),
    COALESCE((SELECT MAX(n.created_at) FROM archive_note n
      WHERE n.sku_id = h.sku_id AND n.bucket = h.bucket AND n.order_token = h.order_token), h.booked_at)) AS updated_at,
  h.sale_no AS sale_no,
  h.reference AS reference
FROM archive_hold h
LEFT JOIN archive_move ended
  ON ended.sku_id = h.sku_id AND ended.bucket = h.bucket AND ended.epoch = h.epoch AND ended.seq = h.seq
    AND ended.step = 1
UNION ALL
SELECT
  CONVERT(CONCAT(r.sku_id, '.', r.bucket, '.',
    REPLACE(REPLACE(TRIM(TRAILING '=' FROM TO_BASE64(r.order_token)), '+', '-'), '/', '_')) USING utf8mb4)
    COLLATE utf8mb4_bin,
  r.user_id, r.sku_id, r.bucket, r.partition_id, r.qty, r.seq, r.epoch,
  'REJECTED',
  r.reason,
  CAST(1 + (late.step IS NOT NULL)
    + (SELECT COUNT(*) FROM order_note n
      WHERE n.sku_id = r.sku_id AND n.bucket = r.bucket AND n.order_token = r.order_token) AS SIGNED),
  r.pay_before,
  late.noted_at,
  r.created_at,
  GREATEST(
    COALESCE(late.noted_at, r.noted_at),
    COALESCE((SELECT MAX(n.created_at) FROM order_note n
      WHERE n.sku_id = r.sku_id AND n.bucket = r.bucket AND n.order_token = r.order_token), 0)),
  r.sale_no,
  NULL
FROM order_reject r
LEFT JOIN order_reject late
  ON late.sku_id = r.sku_id AND late.bucket = r.bucket AND late.order_token = r.order_token AND late.step = 2
WHERE r.step = 1
UNION ALL
SELECT
  CONVERT(CONCAT(r.sku_id, '.', r.bucket, '.',
    REPLACE(REPLACE(TRIM(TRAILING '=' FROM TO_BASE64(r.order_token)), '+', '-'), '/', '_')) USING utf8mb4)
    COLLATE utf8mb4_bin,
  r.user_id, r.sku_id, r.bucket, r.partition_id, r.qty, r.seq, r.epoch,
  'REJECTED',
  r.reason,
  CAST(1 + (late.step IS NOT NULL)
    + (SELECT COUNT(*) FROM archive_note n
      WHERE n.sku_id = r.sku_id AND n.bucket = r.bucket AND n.order_token = r.order_token) AS SIGNED),
  r.pay_before,
  late.noted_at,
  r.created_at,
  GREATEST(
    COALESCE(late.noted_at, r.noted_at),
    COALESCE((SELECT MAX(n.created_at) FROM archive_note n
      WHERE n.sku_id = r.sku_id AND n.bucket = r.bucket AND n.order_token = r.order_token), 0)),
  r.sale_no,
  NULL
FROM archive_reject r
LEFT JOIN archive_reject late
  ON late.sku_id = r.sku_id AND late.bucket = r.bucket AND late.order_token = r.order_token AND late.step = 2
WHERE r.step = 1;

-- id: within a bucket it rises with each transaction, and within an order with each step; it is not unique.
CREATE OR REPLACE SQL SECURITY INVOKER VIEW stock_txn AS
SELECT
  r.write_no * 16 AS id,
  r.row_token AS order_token,
  r.sku_id AS sku_id,
  r.bucket AS bucket,
  r.qty AS qty,
  'RESTOCK' AS action,
  r.created_at AS created_at
FROM restock_row r
UNION ALL
SELECT
  h.write_no * 16,
  CONVERT(CONCAT(h.sku_id, '.', h.bucket, '.',
    REPLACE(REPLACE(TRIM(TRAILING '=' FROM TO_BASE64(h.order_token)), '+', '-'), '/', '_')) USING utf8mb4)
    COLLATE utf8mb4_bin,
  h.sku_id, h.bucket, h.qty, 'HOLD', h.booked_at
FROM order_hold h
UNION ALL
SELECT
  m.write_no * 16 + LEAST(m.step, 15),
  CONVERT(CONCAT(m.sku_id, '.', m.bucket, '.',
    REPLACE(REPLACE(TRIM(TRAILING '=' FROM TO_BASE64(o.order_token)), '+', '-'), '/', '_')) USING utf8mb4)
    COLLATE utf8mb4_bin,
  m.sku_id, m.bucket, m.qty, m.action, m.created_at
FROM stock_move m
LEFT JOIN order_hold o
  ON o.sku_id = m.sku_id AND o.bucket = m.bucket AND o.epoch = m.epoch AND o.seq = m.seq
WHERE m.action <> 'LATE'
UNION ALL
SELECT
  h.write_no * 16,
  CONVERT(CONCAT(h.sku_id, '.', h.bucket, '.',
    REPLACE(REPLACE(TRIM(TRAILING '=' FROM TO_BASE64(h.order_token)), '+', '-'), '/', '_')) USING utf8mb4)
    COLLATE utf8mb4_bin,
  h.sku_id, h.bucket, h.qty, 'HOLD', h.booked_at
FROM archive_hold h
UNION ALL
SELECT
  m.write_no * 16 + LEAST(m.step, 15),
  CONVERT(CONCAT(m.sku_id, '.', m.bucket, '.',
    REPLACE(REPLACE(TRIM(TRAILING '=' FROM TO_BASE64(o.order_token)), '+', '-'), '/', '_')) USING utf8mb4)
    COLLATE utf8mb4_bin,
  m.sku_id, m.bucket, m.qty, m.action, m.created_at
FROM archive_move m
LEFT JOIN archive_hold o
  ON o.sku_id = m.sku_id AND o.bucket = m.bucket AND o.epoch = m.epoch AND o.seq = m.seq
WHERE m.action <> 'LATE';

CREATE OR REPLACE SQL SECURITY INVOKER VIEW inventory_view AS
SELECT
  sums.sku_id AS sku_id,
  sums.restocked AS total,
  sums.holds - sums.confirms - sums.cancels AS held,
  sums.confirms - sums.refunds AS sold,
  sums.restocked - (sums.holds - sums.confirms - sums.cancels) - (sums.confirms - sums.refunds)
    AS available
FROM (
  SELECT
    parts.sku_id AS sku_id,
    CAST(SUM(parts.restocked) AS SIGNED) AS restocked,
    CAST(SUM(parts.holds) AS SIGNED) AS holds,
    CAST(SUM(parts.confirms) AS SIGNED) AS confirms,
    CAST(SUM(parts.cancels) AS SIGNED) AS cancels,
    CAST(SUM(parts.refunds) AS SIGNED) AS refunds
  FROM (
    SELECT sku_id, SUM(qty) AS restocked, 0 AS holds, 0 AS confirms, 0 AS cancels, 0 AS refunds
    FROM restock_row
    GROUP BY sku_id
    UNION ALL
    SELECT sku_id, 0, SUM(qty), 0, 0, 0
    FROM order_hold
    GROUP BY sku_id
    UNION ALL
    SELECT sku_id, 0, 0,
      SUM(CASE WHEN action = 'CONFIRM' THEN qty ELSE 0 END),
      SUM(CASE WHEN action = 'CANCEL' THEN qty ELSE 0 END),
      SUM(CASE WHEN action = 'REFUND' THEN qty ELSE 0 END)
    FROM stock_move
    GROUP BY sku_id
    UNION ALL
    SELECT sku_id, 0,
      SUM(CASE WHEN action = 'HOLD' THEN units ELSE 0 END),
      SUM(CASE WHEN action = 'CONFIRM' THEN units ELSE 0 END),
      SUM(CASE WHEN action = 'CANCEL' THEN units ELSE 0 END),
      SUM(CASE WHEN action = 'REFUND' THEN units ELSE 0 END)
    FROM archive_sum
    GROUP BY sku_id) parts
  GROUP BY parts.sku_id) sums;
