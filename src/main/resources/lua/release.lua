-- Ends orders and puts their units back on sale, and returns their share of the buyers' limits.
--
-- KEYS     1 stock  2 reserve  3 unbooked  4 buyers
-- ARGV     1 term, then per release: token, seq and epoch of its grant; 1 to 512 releases
-- RETURNS  bucket code
--   bucket codes, the first that applies:
--     1 ABSENT      not loaded into this Redis: retry later
--     4 STALE_TERM  Redis has seen a higher term
--     2 LOST        loaded into another Redis process or history: retry later
--     3 LOADING     a rebuild is in progress: retry later
--     0 OK          done; absent and ended tokens, and other grants of the same token, were not changed
-- INVARIANT  a grant returns its units once: released grows exactly when its record changes from L to E

local OK, ABSENT, LOST, LOADING, STALE_TERM = 0, 1, 2, 3, 4
local BATCH_MAX = 512 -- unpack is limited to 8,000 values
local stock_key, reserve_key, unbooked_key, buyers_key = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local term, count, tokens, grants = tonumber(ARGV[1]), (#ARGV - 1) / 3, {}, {}

if not term or term < 1 or term % 1 ~= 0 or count < 1 or count > BATCH_MAX or count % 1 ~= 0 then
  return redis.error_reply('ERR release: expected a term and 1 to 512 triples, but got ' .. #ARGV .. ' arguments')
end
for i = 1, count do
  local token, seq, epoch = ARGV[3 * i - 1], ARGV[3 * i], ARGV[3 * i + 1]
  if not string.find(seq, '^%d+$') or not string.find(epoch, '^%d+$') then
    return redis.error_reply('ERR release: expected token, seq and epoch, but release ' .. i .. ' lacks them')
  end
  tokens[i], grants[i] = token, seq .. '|' .. epoch
end

local run_id, replid, loading, known_term, released, limit =
  unpack(redis.call('HMGET', stock_key, 'run_id', 'replid', 'loading', 'term', 'released', 'limit'))
if not run_id then return ABSENT end
if term < tonumber(known_term) then return STALE_TERM end
if not is_here(run_id, replid) then return LOST end
if loading then return LOADING end

local recorded = redis.call('HMGET', reserve_key, unpack(tokens))
local is_ended, ended, units_of = {}, {}, {} -- tokens of this batch, their records to write, units returned per user
for i, token in ipairs(tokens) do
  local qty, grant, user = string.match(recorded[i] or '', '^L|(%d+)|(%d+|%d+)|%d+|%d+|%d+|[^|]*|(.*)$')
  if grant == grants[i] and not is_ended[token] then
    is_ended[token] = true
    ended[#ended + 1], ended[#ended + 2] = token, 'E' .. string.sub(recorded[i], 2)
    released = released + qty
    units_of[user] = (units_of[user] or 0) + qty
  end
end

if #ended > 0 then
  redis.call('ZREM', unbooked_key, unpack(tokens)) -- first: allowed when Redis is out of memory
  redis.call('HSET', reserve_key, unpack(ended))
  redis.call('HSET', stock_key, 'released', released)
  for user, units in pairs(tonumber(limit) > 0 and units_of or {}) do
    if redis.call('HINCRBY', buyers_key, user, -units) <= 0 then redis.call('HDEL', buyers_key, user) end
  end
end
if term > tonumber(known_term) then redis.call('HSET', stock_key, 'term', term) end
return OK
