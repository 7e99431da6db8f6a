-- Puts units of orders back on sale, all of an order that ended, and returns their share of the buyers' limits. Units that
-- have left the stock are not put back: they stay counted as claimed.
--
-- KEYS     1 stock  2 reserve  3 unbooked  4 buyers
-- ARGV     1 term, then per release: token, seq and epoch of its grant, units that it keeps (0: it ends), units of it
--          so far that have left the stock; 1 to 512
-- RETURNS  bucket code
--   bucket codes, the first that applies:
--     1 ABSENT      not loaded into this Redis: retry later
--     4 STALE_TERM  Redis has seen a higher term
--     2 LOST        loaded into another Redis process or history, or a key of it has vanished: retry later
--     3 LOADING     a rebuild is in progress: retry later
--     0 OK          done; absent and ended tokens, those that keep no more already, and other grants of the same token,
--                   were not changed
-- INVARIANT  a grant returns its units once: released grows exactly by what its record loses, which only gets fewer, less
--          what has left the stock meanwhile; what was asked for, and what has left the stock, stay in the record, behind
--          its reference

local OK, ABSENT, LOST, LOADING, STALE_TERM = 0, 1, 2, 3, 4
local BATCH_MAX = 512 -- unpack is limited to 8,000 values
local stock_key, reserve_key, unbooked_key, buyers_key = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local term, count, tokens, grants, kept, gone = tonumber(ARGV[1]), (#ARGV - 1) / 5, {}, {}, {}, {}

if not term or term < 1 or term % 1 ~= 0 or count < 1 or count > BATCH_MAX or count % 1 ~= 0 then
  return redis.error_reply('ERR release: expected a term and 1 to 512 quintuples, but got ' .. #ARGV .. ' arguments')
end
for i = 1, count do
  local token, seq, epoch = ARGV[5 * i - 3], ARGV[5 * i - 2], ARGV[5 * i - 1]
  local keeps, left_stock = ARGV[5 * i], ARGV[5 * i + 1]
  if not (string.find(seq, '^%d+$') and string.find(epoch, '^%d+$') and string.find(keeps, '^%d+$')
      and string.find(left_stock, '^%d+$')) then
    return redis.error_reply('ERR release: expected token, seq, epoch and units, but release ' .. i .. ' lacks them')
  end
  tokens[i], grants[i], kept[i], gone[i] = token, seq .. '|' .. epoch, tonumber(keeps), tonumber(left_stock)
end

local run_id, replid, loading, known_term, released, limit, entries =
  unpack(redis.call('HMGET', stock_key, 'run_id', 'replid', 'loading', 'term', 'released', 'limit', 'entries'))
if not run_id then return ABSENT end
if term < tonumber(known_term) then return STALE_TERM end
if not is_here(run_id, replid) then return LOST end
if loading then return LOADING end
if not is_whole(entries, reserve_key, unbooked_key, buyers_key) then return LOST end

local recorded = redis.call('HMGET', reserve_key, unpack(tokens))
-- New records of this batch, all that is written, its tokens, units returned per user.
local changed, written, names, units_of = {}, {}, {}, {}
for i, token in ipairs(tokens) do
  local record = changed[token] or recorded[i] or ''
  local qty, grant, times, reference, user = string.match(record, '^L|(%d+)|(%d+|%d+)|(%d+|%d+|%d+)|([^|]*)|(.*)$')
  qty = tonumber(qty)
  if grant == grants[i] and kept[i] < qty then
    local name, asked, known_gone = string.match(reference, '^([^~]*)~?(%d*)~?(%d*)$')
    if kept[i] > 0 then
      reference = name .. '~' .. (asked ~= '' and asked or qty) .. (gone[i] > 0 and '~' .. gone[i] or '')
    end
    local state, units = kept[i] > 0 and 'L' or 'E', kept[i] > 0 and kept[i] or qty
    changed[token] = table.concat({state, string.format('%d', units), grant, times, reference, user}, '|')
    written[#written + 1], written[#written + 2], names[#names + 1] = token, changed[token], token
    released = released + qty - kept[i] - (gone[i] - (tonumber(known_gone) or 0))
    units_of[user] = (units_of[user] or 0) + qty - kept[i]
  end
end

local booked, buyers = 0, redis.call('HLEN', buyers_key)
if #written > 0 then
  -- First: allowed when Redis is out of memory. Another grant of a token stays unbooked.
  booked = redis.call('ZREM', unbooked_key, unpack(names))
  redis.call('HSET', reserve_key, unpack(written))
  for user, units in pairs(tonumber(limit) > 0 and units_of or {}) do
    if redis.call('HINCRBY', buyers_key, user, -units) <= 0 then redis.call('HDEL', buyers_key, user) end
  end
end
-- Last: a script that is stopped half-way only strands units.
if #written > 0 or term > tonumber(known_term) then
  redis.call('HSET', stock_key, 'term', term, 'released', string.format('%d', released),
    counted(entries, 0, -booked, redis.call('HLEN', buyers_key) - buyers))
end
return OK
