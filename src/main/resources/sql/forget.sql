-- name: ask_forget
-- Asks for a buyer to be forgotten.
-- PARAMETERS: user_id, pseudonym
-- RETURNS: nothing
-- INVARIANT: one that is under way keeps its pseudonym
INSERT INTO forget_job (user_id, pseudonym)
VALUES (?, ?)
ON DUPLICATE KEY UPDATE pseudonym = pseudonym

-- name: end_forget_job
-- Deletes a job that is done, and with it the id of the buyer.
-- PARAMETERS: user_id
-- RETURNS: 1 row where it was there
-- INVARIANT: its result is on its way to who asked
DELETE FROM forget_job
WHERE user_id = ? AND done_at > 0

-- name: forget_archived_holds
-- Does with archived orders as forget_holds.
-- PARAMETERS: pseudonym, salt; sku_id, bucket, order_token of each
-- RETURNS: rows changed
-- INVARIANT: as forget_holds; nothing else of an archived order is ever changed
UPDATE archive_hold FORCE INDEX (archive_hold_by_token)
SET user_id = ?, reference = NULL, order_token = UNHEX(LEFT(SHA2(CONCAT(?, HEX(order_token)), 256), 32))
WHERE (sku_id, bucket, order_token) IN ({rows 3})

-- name: forget_archived_moves
-- Gives the payments and refunds of archived orders other names.
-- PARAMETERS: salt; sku_id, bucket, epoch, seq of each order
-- RETURNS: rows changed
-- INVARIANT: as forget_holds; names of an order that are the same, or differ, do so afterwards
UPDATE archive_move FORCE INDEX (PRIMARY)
SET reference = CONCAT('forgotten-', LEFT(SHA2(CONCAT(?, reference), 256), 32))
WHERE (sku_id, bucket, epoch, seq) IN ({rows 4}) AND reference IS NOT NULL

-- name: forget_archived_notes
-- Gives what was told of archived orders their other token, and payments and refunds other names.
-- PARAMETERS: salt, twice; sku_id, bucket, order_token of each order
-- RETURNS: rows changed
-- INVARIANT: as forget_moves, with the same salt
UPDATE archive_note FORCE INDEX (PRIMARY)
SET reference = CONCAT('forgotten-', LEFT(SHA2(CONCAT(?, reference), 256), 32)),
  order_token = UNHEX(LEFT(SHA2(CONCAT(?, HEX(order_token)), 256), 32))
WHERE (sku_id, bucket, order_token) IN ({rows 3})

-- name: forget_archived_rejects
-- Gives archived rejected orders the pseudonym, another token, and the payments that came for them other names.
-- PARAMETERS: pseudonym, salt, twice; sku_id, bucket, order_token of each
-- RETURNS: rows changed
-- INVARIANT: as forget_holds; the row of a payment has no buyer
UPDATE archive_reject FORCE INDEX (PRIMARY)
SET user_id = IF(step = 1, ?, ''),
  reference = CONCAT('forgotten-', LEFT(SHA2(CONCAT(?, reference), 256), 32)),
  order_token = UNHEX(LEFT(SHA2(CONCAT(?, HEX(order_token)), 256), 32))
WHERE (sku_id, bucket, order_token) IN ({rows 3})

-- name: forget_holds
-- Gives booked orders the pseudonym in place of their buyer's id, another token, and no name.
-- PARAMETERS: pseudonym, salt; sku_id, bucket, order_token of each
-- RETURNS: rows changed
-- INVARIANT: the buckets are locked. The salt is kept nowhere, so the new token is as good as random; it is the same for all
--   rows of an order
UPDATE order_hold FORCE INDEX (order_hold_by_token)
SET user_id = ?, reference = NULL, order_token = UNHEX(LEFT(SHA2(CONCAT(?, HEX(order_token)), 256), 32))
WHERE (sku_id, bucket, order_token) IN ({rows 3})

-- name: forget_moves
-- Gives the payments and refunds of booked orders other names.
-- PARAMETERS: salt; sku_id, bucket, epoch, seq of each order
-- RETURNS: rows changed
-- INVARIANT: as forget_holds; names of an order that are the same, or differ, do so afterwards
UPDATE stock_move FORCE INDEX (PRIMARY)
SET reference = CONCAT('forgotten-', LEFT(SHA2(CONCAT(?, reference), 256), 32))
WHERE (sku_id, bucket, epoch, seq) IN ({rows 4}) AND reference IS NOT NULL

-- name: forget_notes
-- Gives what was told of these orders their other token, and payments and refunds other names.
-- PARAMETERS: salt, twice; sku_id, bucket, order_token of each order
-- RETURNS: rows changed
-- INVARIANT: as forget_moves, with the same salt
UPDATE order_note FORCE INDEX (PRIMARY)
SET reference = CONCAT('forgotten-', LEFT(SHA2(CONCAT(?, reference), 256), 32)),
  order_token = UNHEX(LEFT(SHA2(CONCAT(?, HEX(order_token)), 256), 32))
WHERE (sku_id, bucket, order_token) IN ({rows 3})

-- name: forget_rejects
-- Gives rejected orders the pseudonym, another token, and the payments that came for them other names.
-- PARAMETERS: pseudonym, salt, twice; sku_id, bucket, order_token of each
-- RETURNS: rows changed
-- INVARIANT: as forget_holds; the row of a payment has no buyer
UPDATE order_reject FORCE INDEX (PRIMARY)
SET user_id = IF(step = 1, ?, ''),
  reference = CONCAT('forgotten-', LEFT(SHA2(CONCAT(?, reference), 256), 32)),
  order_token = UNHEX(LEFT(SHA2(CONCAT(?, HEX(order_token)), 256), 32))
WHERE (sku_id, bucket, order_token) IN ({rows 3})

-- name: forget_returns
-- Takes the tokens of orders out of the rows with which their units have left the stock.
-- PARAMETERS: salt; sku_id, row_token that such a row may have, of each
-- RETURNS: rows changed
-- INVARIANT: as forget_holds. They get another place among the rows that an audit sums in slices: it begins again
UPDATE restock_row FORCE INDEX (PRIMARY)
SET row_token = CONCAT('!return-forgotten-', LEFT(SHA2(CONCAT(?, row_token), 256), 32))
WHERE (sku_id, row_token) IN ({rows 2})

-- name: keep_forget_job
-- Keeps how far a buyer is forgotten.
-- PARAMETERS: phase, sku_id, bucket, epoch, seq, order_token, replaced, left_over, done_at, user_id
-- RETURNS: 1 row found
-- INVARIANT: in the transaction that has replaced the ids
UPDATE forget_job
SET phase = ?, sku_id = ?, bucket = ?, epoch = ?, seq = ?, order_token = ?, replaced = ?, left_over = ?, done_at = ?
WHERE user_id = ?

-- name: list_forget_archived_holds
-- Lists the next archived orders of a buyer.
-- PARAMETERS: user_id; after which to begin: sku_id twice, bucket twice, epoch twice, seq; limit
-- RETURNS: as list_forget_holds; all are the buyer's, and have no number
-- INVARIANT: by index, in its order; takes no lock
SELECT sku_id, bucket, order_token, epoch, seq, sale_no, cart, 1, 0
FROM archive_hold FORCE INDEX (archive_hold_by_user)
WHERE user_id = ? AND (sku_id > ? OR (sku_id = ? AND (bucket > ? OR (bucket = ? AND (epoch > ? OR (epoch = ? AND seq > ?))))))
ORDER BY sku_id, bucket, epoch, seq
LIMIT ?

-- name: list_forget_archived_rejects
-- Lists the next archived rejected orders of a buyer.
-- PARAMETERS: user_id; after which to begin: sku_id twice, bucket twice, order_token; limit
-- RETURNS: as list_forget_holds; all are the buyer's, and have no number
-- INVARIANT: as list_forget_archived_holds
SELECT sku_id, bucket, order_token, epoch, seq, sale_no, cart, 1, 0
FROM archive_reject FORCE INDEX (archive_reject_by_user)
WHERE user_id = ? AND (sku_id > ? OR (sku_id = ? AND (bucket > ? OR (bucket = ? AND order_token > ?))))
ORDER BY sku_id, bucket, order_token, step
LIMIT ?

-- name: list_forget_holds
-- Lists the orders of a buyer in the next slice of all booked orders, and the last order of a full slice.
-- PARAMETERS: user_id; after which to begin: sku_id twice, bucket twice, epoch twice, seq; rows of the slice; user_id; rows of
--   the slice; limit
-- RETURNS: sku_id, bucket, order_token, epoch, seq, sale_no, cart, whether it is the buyer's, its number in the slice; in order
-- INVARIANT: takes no lock; in the order of the primary key. One snapshot: what is booked or moved meanwhile shifts no slice
SELECT h.sku_id, h.bucket, h.order_token, h.epoch, h.seq, h.sale_no, h.cart, h.user_id = ?, numbered.place
FROM (
  SELECT slice.sku_id, slice.bucket, slice.epoch, slice.seq, slice.user_id,
    ROW_NUMBER() OVER (ORDER BY slice.sku_id, slice.bucket, slice.epoch, slice.seq) AS place
  FROM (
    SELECT sku_id, bucket, epoch, seq, user_id
    FROM order_hold FORCE INDEX (PRIMARY)
    WHERE (sku_id > ? OR (sku_id = ? AND (bucket > ? OR (bucket = ? AND (epoch > ? OR (epoch = ? AND seq > ?))))))
    ORDER BY sku_id, bucket, epoch, seq
    LIMIT ?) slice) numbered
STRAIGHT_JOIN order_hold h FORCE INDEX (PRIMARY)
  ON h.sku_id = numbered.sku_id AND h.bucket = numbered.bucket AND h.epoch = numbered.epoch AND h.seq = numbered.seq
WHERE numbered.user_id = ? OR numbered.place = ?
ORDER BY numbered.place
LIMIT ?

-- name: list_forget_rejects
-- Lists the rejected orders of a buyer in the next slice of all, and the last one of a full slice.
-- PARAMETERS: user_id; after which to begin: sku_id twice, bucket twice, order_token; rows of the slice; user_id; rows of the
--   slice; limit
-- RETURNS: as list_forget_holds
-- INVARIANT: as list_forget_holds; a payment that came for an order is no order of its own
SELECT r.sku_id, r.bucket, r.order_token, r.epoch, r.seq, r.sale_no, r.cart, r.user_id = ? AND r.step = 1, numbered.place
FROM (
  SELECT slice.sku_id, slice.bucket, slice.order_token, slice.step, slice.user_id,
    ROW_NUMBER() OVER (ORDER BY slice.sku_id, slice.bucket, slice.order_token, slice.step) AS place
  FROM (
    SELECT sku_id, bucket, order_token, step, user_id
    FROM order_reject FORCE INDEX (PRIMARY)
    WHERE (sku_id > ? OR (sku_id = ? AND (bucket > ? OR (bucket = ? AND order_token > ?))))
    ORDER BY sku_id, bucket, order_token, step
    LIMIT ?) slice) numbered
STRAIGHT_JOIN order_reject r FORCE INDEX (PRIMARY)
  ON r.sku_id = numbered.sku_id AND r.bucket = numbered.bucket AND r.order_token = numbered.order_token
    AND r.step = numbered.step
WHERE (numbered.user_id = ? AND numbered.step = 1) OR numbered.place = ?
ORDER BY numbered.place
LIMIT ?

-- name: lock_forget_job
-- Reads and locks the next buyer to be forgotten.
-- PARAMETERS: -
-- RETURNS: user_id, pseudonym, phase, sku_id, bucket, epoch, seq, order_token, replaced, left_over
-- INVARIANT: locked until the step is committed, so a step is made once
SELECT user_id, pseudonym, phase, sku_id, bucket, epoch, seq, order_token, replaced, left_over
FROM forget_job FORCE INDEX (forget_job_by_end)
WHERE done_at = 0
ORDER BY user_id
LIMIT 1
FOR UPDATE

-- name: purge_forget_jobs
-- Deletes jobs whose end nobody asked for, and with them the ids of the buyers.
-- PARAMETERS: done before, limit
-- RETURNS: rows deleted
-- INVARIANT: -
DELETE FROM forget_job
WHERE done_at > 0 AND done_at < ?
ORDER BY done_at
LIMIT ?

-- name: read_forget_job
-- Reads how far a buyer is forgotten.
-- PARAMETERS: user_id
-- RETURNS: pseudonym, replaced, left_over, done_at
-- INVARIANT: -
SELECT pseudonym, replaced, left_over, done_at
FROM forget_job
WHERE user_id = ?
