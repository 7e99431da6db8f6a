-- Reads the state of a bucket.
--
-- KEYS     1 stock  2 reserve  3 unbooked  4 buyers
-- ARGV     1 maximum number of unbooked grants; 0 to 2,000, then tokens; up to 5,000
-- RETURNS  {ABSENT}, or {bucket code, total, claimed, released, epoch, version, term, state, opens_at, closes_at,
--          limit, payment_window, booked_by, booked_to, now, unbooked count, n, sku_total, ...} followed by token and
--          record of n unbooked grants (all, or none if there are more than the maximum), and per token of ARGV the
--          units of it that are counted as claimed and not released; sku_total: the units of all buckets of the SKU, -1
--          if that is not known for this version
--   bucket codes, the first that applies:
--     1 ABSENT   not loaded into this Redis
--     2 LOST     loaded into another Redis process or history, or a key of it has vanished
--     3 LOADING  a rebuild is in progress; until load, all but the term is from before the freeze, or 0 and CLOSED
--     0 OK
-- INVARIANT  writes nothing; everything is read at one instant

local OK, ABSENT, LOST, LOADING = 0, 1, 2, 3
local UNBOOKED_MAX, TOKENS_MAX = 2000, 5000 -- unpack is limited to 8,000 values
local stock_key, reserve_key, unbooked_key, buyers_key = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local unbooked_max, tokens = tonumber(ARGV[1]), {}

if not unbooked_max or unbooked_max < 0 or unbooked_max > UNBOOKED_MAX or unbooked_max % 1 ~= 0
    or #ARGV > TOKENS_MAX + 1 then
  return redis.error_reply('ERR snapshot: expected a number of 0 to 2000 and up to 5000 tokens')
end
for i = 2, #ARGV do tokens[i - 1] = ARGV[i] end

local head = redis.call('HMGET', stock_key, 'run_id', 'total', 'claimed', 'released', 'epoch', 'version', 'term',
  'state', 'opens_at', 'closes_at', 'limit', 'payment_window', 'booked_by', 'booked_to', 'loading', 'replid',
  'sku_total', 'entries')
local run_id, loading, replid, entries = head[1], head[15], head[16], head[18]
if not run_id then return {ABSENT} end

local code = OK
if not is_here(run_id, replid) then
  code = LOST
elseif loading then
  code = LOADING
elseif not is_whole(entries, reserve_key, unbooked_key, buyers_key) then
  code = LOST
end
local unbooked_count = redis.call('ZCARD', unbooked_key)

local reply = {code}
for i = 2, 14 do
  reply[i] = head[i] or (i == 8 and 'CLOSED' or '0')
end
reply[15] = time_ms()
reply[16], reply[17] = unbooked_count, 0
local sku_version, sku_total = string.match(head[17] or '', '^(%d+):(%d+)$')
reply[18] = sku_version == head[6] and sku_total or '-1'

if unbooked_count > 0 and unbooked_count <= unbooked_max then
  local unbooked = redis.call('ZRANGE', unbooked_key, 0, -1)
  local records = redis.call('HMGET', reserve_key, unpack(unbooked))
  for i, token in ipairs(unbooked) do
    if records[i] then
      reply[17] = reply[17] + 1
      reply[#reply + 1], reply[#reply + 2] = token, records[i]
    end
  end
  reply[16] = reply[17] -- a token without a record is left of a grant that was refused half-way
end
local records = #tokens > 0 and redis.call('HMGET', reserve_key, unpack(tokens)) or {}
for _, record in ipairs(records) do
  local units, gone = string.match(record or '', '^L|(%d+)|%d+|%d+|%d+|%d+|%d+|[^|~]*~?%d*~?(%d*)|')
  reply[#reply + 1] = (tonumber(units) or 0) + (tonumber(gone) or 0)
end
return reply
