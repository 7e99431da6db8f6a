-- Adds a page of the ledger's orders to a bucket that is being rebuilt: live ones as booked, ended ones as ended.
--
-- KEYS     1 stock  2 reserve  3 unbooked (empty)  4 buyers
-- ARGV     1 term  2 mark returned by freeze, then per order: token, record; 1 to 512 orders
-- RETURNS  bucket code
--   bucket codes, the first that applies:
--     4 STALE_TERM  Redis has seen a higher term
--     5 SUPERSEDED  the bucket is not LOADING under this term and mark, there was no load under it, Redis is now
--                   another process or history, or a key has vanished since the load
--     0 OK
-- INVARIANT  idempotent per token; if a limit is set, buyers has exactly the units of live records

local OK, STALE_TERM, SUPERSEDED = 0, 4, 5
local LOADED = '2' -- the value of loading after load; freeze sets 1
local BATCH_MAX = 512 -- unpack is limited to 8,000 values
local stock_key, reserve_key, unbooked_key, buyers_key = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local term, mark, count, tokens, records = ARGV[1], ARGV[2], (#ARGV - 2) / 2, {}, {}

if count < 1 or count > BATCH_MAX or count % 1 ~= 0 or not string.find(term, '^%d+$') then
  return redis.error_reply('ERR load_page: expected term, mark, 1 to 512 orders, but got ' .. #ARGV .. ' arguments')
end
for i = 1, count do
  local token, record = ARGV[2 * i + 1], ARGV[2 * i + 2]
  if token == '' or not string.find(record, '^[LE]|%d+|%d+|%d+|%d+|%d+|%d+|[^|]*|.') then
    return redis.error_reply('ERR load_page: expected token and record, but order ' .. i .. ' lacks them')
  end
  tokens[i], records[token] = token, record
end

local run_id, replid, known_mark, loading, known_term, limit, entries =
  unpack(redis.call('HMGET', stock_key, 'run_id', 'replid', 'mark', 'loading', 'term', 'limit', 'entries'))
known_term = tonumber(known_term or 0)
if tonumber(term) < known_term then return STALE_TERM end
if loading ~= LOADED or tonumber(term) > known_term or mark ~= known_mark
    or not is_here(run_id, replid) or not is_whole(entries, reserve_key, unbooked_key, buyers_key) then
  return SUPERSEDED
end

local known, written, done, change = redis.call('HMGET', reserve_key, unpack(tokens)), {}, {}, {}
local function count_units(record, sign)
  local units, user = string.match(record or '', '^L|(%d+)|%d+|%d+|%d+|%d+|%d+|[^|]*|(.*)$')
  if user then change[user] = (change[user] or 0) + sign * units end
end
for i, token in ipairs(tokens) do
  if not done[token] then
    done[token] = true
    count_units(known[i], -1)
    count_units(records[token], 1)
    written[#written + 1], written[#written + 2] = token, records[token]
  end
end

local buyers = redis.call('HLEN', buyers_key)
local added = redis.call('HSET', reserve_key, unpack(written))
for user, units in pairs(tonumber(limit) > 0 and change or {}) do
  if redis.call('HINCRBY', buyers_key, user, units) <= 0 then redis.call('HDEL', buyers_key, user) end
end
redis.call('HSET', stock_key, counted(entries, added, 0, redis.call('HLEN', buyers_key) - buyers))
return OK
