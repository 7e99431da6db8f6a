-- Writes the head of a bucket that is being rebuilt and deletes everything recorded before.
--
-- KEYS     1 stock  2 reserve  3 unbooked  4 buyers
-- ARGV     1 term  2 mark returned by freeze  3 epoch  4 claimed  5 version  6 allotted  7 state  8 opens_at
--          9 closes_at  10 limit  11 payment_window  12 sku_total, empty if the SKU has no
--          other bucket  13 sale_no
-- RETURNS  bucket code
--   bucket codes, the first that applies:
--     4 STALE_TERM  Redis has seen a higher term
--     5 SUPERSEDED  the bucket is not LOADING under this term and mark, or Redis is now another process or
--                   history
--     0 OK
-- INVARIANT  writes only under the caller's own LOADING mark, which stays; claimed = units of live orders and of
--          those of this sale that have left the stock, released = 0

local OK, STALE_TERM, SUPERSEDED = 0, 4, 5
local LOADED = '2' -- the value of loading after load; freeze sets 1
local STATES = {SCHEDULED = true, OPEN = true, CLOSED = true, FROZEN = true}
local stock_key, reserve_key, unbooked_key, buyers_key = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local term, mark, epoch, claimed, version, allotted, state, opens_at, closes_at, limit, payment_window, sku_total,
  sale_no = unpack(ARGV)

if #ARGV ~= 13 or not STATES[state] then
  return redis.error_reply('ERR load: expected 13 arguments with a state, but got ' .. #ARGV)
end
for _, number in ipairs({term, epoch, claimed, version, allotted, opens_at, closes_at, limit, payment_window,
  sku_total == '' and '0' or sku_total, sale_no}) do
  if not string.find(number, '^%d+$') then
    return redis.error_reply('ERR load: expected whole numbers, but got ' .. number)
  end
end

local run_id, replid, known_mark, loading, known_term =
  unpack(redis.call('HMGET', stock_key, 'run_id', 'replid', 'mark', 'loading', 'term'))
known_term = tonumber(known_term or 0)
if tonumber(term) < known_term then return STALE_TERM end
if not loading or tonumber(term) > known_term or mark ~= known_mark
    or not is_here(run_id, replid) then
  return SUPERSEDED
end

redis.call('UNLINK', reserve_key, unbooked_key, buyers_key)
-- An earlier take is part of allotted or will be repeated; the ledger's state replaces what was booked before.
redis.call('HDEL', stock_key, 'taken', 'taken_code', 'booked_by', 'booked_to', 'sku_total')
if sku_total ~= '' then redis.call('HSET', stock_key, 'sku_total', version .. ':' .. sku_total) end
redis.call('HSET', stock_key, 'total', allotted, 'claimed', claimed, 'released', 0, 'epoch', epoch,
  'version', version, 'state', state, 'opens_at', opens_at, 'closes_at', closes_at, 'limit', limit,
  'payment_window', payment_window, 'sale_no', sale_no, 'entries', '0:0:0', 'loading', LOADED)
return OK
