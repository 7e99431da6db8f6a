-- name: advance_webhook
-- Moves the cursor of a target behind a page.
-- PARAMETERS: cursor behind the page, webhook_id, owner, cursor before it
-- RETURNS: 1 row if the owner still has the lease, and the cursor is where it was
-- INVARIANT: in the transaction that parks what the target has not accepted of the page
UPDATE webhook
SET event_cursor = ?
WHERE webhook_id = ? AND owner = ? AND event_cursor = ?

-- name: count_deliveries
-- Counts the events that a target has not accepted.
-- PARAMETERS: webhook_id
-- RETURNS: how many wait, how many have failed, when the oldest that waits was first not accepted or 0
-- INVARIANT: by an index alone, in one pass
SELECT COUNT(IF(state = 'WAITING', 1, NULL)), COUNT(IF(state = 'FAILED', 1, NULL)),
  COALESCE(MIN(IF(state = 'WAITING', first_at, NULL)), 0)
FROM webhook_delivery FORCE INDEX (webhook_delivery_oldest)
WHERE webhook_id = ?

-- name: delay_deliveries
-- Notes that events were not accepted once more.
-- PARAMETERS: a JSON array of [id, attempts, next_at, state, why]
-- RETURNS: rows changed
-- INVARIANT: their target's row is locked by its owner
UPDATE JSON_TABLE(?, '$[*]' COLUMNS (
  id BIGINT PATH '$[0]',
  attempts INT PATH '$[1]',
  next_at BIGINT PATH '$[2]',
  state VARCHAR(8) PATH '$[3]',
  why VARCHAR(255) PATH '$[4]')) AS tried
STRAIGHT_JOIN webhook_delivery AS parked FORCE INDEX (PRIMARY) ON parked.id = tried.id
SET parked.attempts = tried.attempts, parked.next_at = tried.next_at, parked.state = tried.state, parked.why = tried.why

-- name: delete_deliveries
-- Deletes events that were accepted.
-- PARAMETERS: ids
-- RETURNS: rows deleted
-- INVARIANT: their target's row is locked by its owner
DELETE d
FROM webhook_delivery d FORCE INDEX (PRIMARY)
WHERE d.id IN ({list})

-- name: delete_deliveries_of
-- Deletes events of a target that goes.
-- PARAMETERS: webhook_id, maximum number
-- RETURNS: rows deleted
-- INVARIANT: the target goes in the transaction that finds fewer than the maximum
DELETE FROM webhook_delivery
WHERE webhook_id = ?
LIMIT ?

-- name: delete_failures
-- Deletes failed events that nobody has replayed.
-- PARAMETERS: webhook_id, first_at before which they are deleted, maximum number
-- RETURNS: rows deleted
-- INVARIANT: what waits stays
DELETE FROM webhook_delivery
WHERE webhook_id = ? AND state = 'FAILED' AND first_at < ?
ORDER BY webhook_id, state, first_at
LIMIT ?

-- name: delete_webhook
-- Deletes a target.
-- PARAMETERS: webhook_id
-- RETURNS: 1 row where it was there
-- INVARIANT: its events are gone before
DELETE FROM webhook
WHERE webhook_id = ?

-- name: forget_deliveries
-- Deletes events of orders whose buyer is forgotten.
-- PARAMETERS: order_key of each
-- RETURNS: rows deleted
-- INVARIANT: in the transaction that gives these orders other tokens
DELETE FROM webhook_delivery
WHERE order_key IN ({list})

-- name: insert_deliveries
-- Parks events that a target has not accepted.
-- PARAMETERS: webhook_id, message_id, event_type, order_key, event, state, attempts, first_at, next_at, why of each
-- RETURNS: rows written
-- INVARIANT: their ids rise in the order of the rows; one that is there, since its page was sent before, stays as it is
INSERT INTO webhook_delivery
  (webhook_id, message_id, event_type, order_key, event, state, attempts, first_at, next_at, why)
VALUES {rows 10}
ON DUPLICATE KEY UPDATE attempts = webhook_delivery.attempts

-- name: insert_webhook
-- Makes a target.
-- PARAMETERS: webhook_id, url, secret, former_secret, former_until, types, form, event_cursor
-- RETURNS: rows written
-- INVARIANT: a duplicate key where it was made meanwhile; the transaction runs again then
INSERT INTO webhook (webhook_id, url, secret, former_secret, former_until, types, form, event_cursor)
VALUES {rows 8}

-- name: lease_webhook
-- Takes or renews the right to send to a target.
-- PARAMETERS: owner, milliseconds, webhook_id, owner
-- RETURNS: 1 row if the owner has it now
-- INVARIANT: one owner at a time, by this database's clock; none of a target that is stopped
UPDATE webhook
SET owner = ?, leased_until = CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED) + ?
WHERE webhook_id = ? AND stopped = ''
  AND (owner = ? OR leased_until < CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED))

-- name: list_deliveries
-- Lists the events that a target has not accepted.
-- PARAMETERS: webhook_id, id after which they begin, maximum number
-- RETURNS: id, message_id, event_type, order_key, event, state, attempts, first_at, next_at, why
-- INVARIANT: in the order of the ids
SELECT id, message_id, event_type, order_key, event, state, attempts, first_at, next_at, why
FROM webhook_delivery FORCE INDEX (webhook_delivery_list)
WHERE webhook_id = ? AND id > ?
ORDER BY id
LIMIT ?

-- name: list_due_deliveries
-- Lists the events that are to be sent again now, the first of each order_key.
-- PARAMETERS: webhook_id, maximum number
-- RETURNS: id, message_id, event_type, order_key, event, state, attempts, first_at, next_at, why
-- INVARIANT: none that waits behind another one of its order_key
SELECT d.id, d.message_id, d.event_type, d.order_key, d.event, d.state, d.attempts, d.first_at, d.next_at, d.why
FROM webhook_delivery d FORCE INDEX (webhook_delivery_due)
WHERE d.webhook_id = ? AND d.state = 'WAITING'
  AND d.next_at <= CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)
  AND NOT EXISTS (
    SELECT 1 FROM webhook_delivery b FORCE INDEX (webhook_delivery_order)
    WHERE b.order_key = d.order_key AND b.webhook_id = d.webhook_id AND b.state = 'WAITING' AND b.id < d.id)
ORDER BY d.next_at, d.id
LIMIT ?

-- name: list_parked_keys
-- Lists those of these order_keys that have events that wait.
-- PARAMETERS: order_keys, webhook_id
-- RETURNS: order_key
-- INVARIANT: a later event of one of them waits as well
SELECT DISTINCT order_key
FROM webhook_delivery FORCE INDEX (webhook_delivery_order)
WHERE order_key IN ({list}) AND webhook_id = ? AND state = 'WAITING'

-- name: list_webhooks
-- Lists all targets.
-- PARAMETERS: none
-- RETURNS: webhook_id, url, secret, former_secret, former_until, types, form, event_cursor, stopped, owner, leased_until, now
-- INVARIANT: they are few
SELECT webhook_id, url, secret, former_secret, former_until, types, form, event_cursor, stopped, owner, leased_until,
  CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)
FROM webhook
ORDER BY webhook_id

-- name: lock_webhook
-- Reads and locks a target.
-- PARAMETERS: webhook_id
-- RETURNS: as list_webhooks
-- INVARIANT: its owner is the same until the transaction ends
SELECT webhook_id, url, secret, former_secret, former_until, types, form, event_cursor, stopped, owner, leased_until,
  CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)
FROM webhook
WHERE webhook_id = ?
FOR UPDATE

-- name: release_webhooks
-- Gives up the right to send to targets.
-- PARAMETERS: owner
-- RETURNS: rows changed
-- INVARIANT: the owner sends nothing any more
UPDATE webhook
SET leased_until = 0
WHERE owner = ?

-- name: replay_deliveries
-- Lets events be sent again at once, failed ones for three days more.
-- PARAMETERS: webhook_id, maximum number
-- RETURNS: rows changed
-- INVARIANT: those that have failed longest come first
UPDATE webhook_delivery FORCE INDEX (webhook_delivery_list)
SET first_at = IF(state = 'FAILED', CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED), first_at),
  attempts = 0,
  next_at = 0,
  state = 'WAITING'
WHERE webhook_id = ? AND next_at > 0
ORDER BY webhook_id, id
LIMIT ?

-- name: stop_webhook
-- Ends the sending to a target until it is put again.
-- PARAMETERS: why, webhook_id, owner
-- RETURNS: 1 row if the owner has the lease
-- INVARIANT: its cursor and its events stay
UPDATE webhook
SET stopped = ?, leased_until = 0
WHERE webhook_id = ? AND owner = ?

-- name: update_webhook
-- Changes a target, which is sent to again if it was stopped.
-- PARAMETERS: url, secret, former_secret, former_until, types, form, webhook_id
-- RETURNS: 1 row
-- INVARIANT: its row is locked; its cursor and its lease stay
UPDATE webhook
SET url = ?, secret = ?, former_secret = ?, former_until = ?, types = ?, form = ?, stopped = ''
WHERE webhook_id = ?
