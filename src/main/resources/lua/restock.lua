-- Sets total, state and settings to what the ledger records.
--
-- KEYS     1 stock  2 reserve (not used)  3 unbooked (not used)  4 buyers
-- ARGV     1 term  2 version  3 allotted  4 state  5 opens_at  6 closes_at  7 limit  8 payment_window
-- RETURNS  bucket code
--   bucket codes, the first that applies:
--     1 ABSENT         not loaded into this Redis: again later
--     4 STALE_TERM     a higher term was here
--     2 LOST           loaded into another Redis process or history: again later
--     3 LOADING        a rebuild is under way: again later
--     7 NEEDS_REBUILD  a limit is switched on, and units are held by buyers who were not counted; no number was changed
--     0 OK             done, or ignored since the version is not higher
-- INVARIANT  neither version nor term ever falls; claimed and released are never touched

local OK, ABSENT, LOST, LOADING, STALE_TERM, NEEDS_REBUILD = 0, 1, 2, 3, 4, 7
local STATES = {SCHEDULED = true, OPEN = true, CLOSED = true, FROZEN = true}
local stock_key, buyers_key = KEYS[1], KEYS[4]
local term, version, allotted, state, opens_at, closes_at, limit, payment_window = unpack(ARGV)

if #ARGV ~= 8 or not STATES[state] then
  return redis.error_reply('ERR restock: expected 8 arguments with a state, but got ' .. #ARGV)
end
for _, number in ipairs({term, version, allotted, opens_at, closes_at, limit, payment_window}) do
  if not string.find(number, '^%d+$') then
    return redis.error_reply('ERR restock: expected whole numbers, but got ' .. number)
  end
end

local run_id, replid, loading, known_term, known_version, known_limit, claimed, released =
  unpack(redis.call('HMGET', stock_key, 'run_id', 'replid', 'loading', 'term', 'version', 'limit', 'claimed',
    'released'))
if not run_id then return ABSENT end
if tonumber(term) < tonumber(known_term) then return STALE_TERM end
if not is_here(run_id, replid) then return LOST end
if loading then return LOADING end
if tonumber(term) > tonumber(known_term) then redis.call('HSET', stock_key, 'term', term) end
if tonumber(version) <= tonumber(known_version) then return OK end
local counts, counted = tonumber(limit) > 0, tonumber(known_limit) > 0 -- units per buyer
if counts and not counted and tonumber(claimed) > tonumber(released) then return NEEDS_REBUILD end

redis.call('HDEL', stock_key, 'taken', 'taken_code') -- a take that is not in allotted is undone
redis.call('HSET', stock_key, 'version', version, 'total', allotted, 'state', state,
  'opens_at', opens_at, 'closes_at', closes_at, 'limit', limit, 'payment_window', payment_window)
if not counts then redis.call('UNLINK', buyers_key) end
return OK
