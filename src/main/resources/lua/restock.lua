-- Sets total, state and settings to what the ledger records.
--
-- KEYS     1 stock  2 reserve  3 unbooked  4 buyers
-- ARGV     1 term  2 version  3 allotted  4 state  5 opens_at  6 closes_at  7 limit  8 payment_window
--          9 sku_total, empty if the SKU has no other bucket
-- RETURNS  bucket code
--   bucket codes, the first that applies:
--     1 ABSENT         not loaded into this Redis: retry later
--     4 STALE_TERM     Redis has seen a higher term
--     2 LOST           loaded into another Redis process or history, or a key of it has vanished: retry later
--     3 LOADING        a rebuild is in progress: retry later
--     7 NEEDS_REBUILD  a limit is switched on, but buyers' units were not counted so far; no counter was changed
--     0 OK             done, or ignored because the version is not higher: then only sku_total is set, if it is the same
-- INVARIANT  version and term never fall; claimed and released are never changed

local OK, ABSENT, LOST, LOADING, STALE_TERM, NEEDS_REBUILD = 0, 1, 2, 3, 4, 7
local STATES = {SCHEDULED = true, OPEN = true, CLOSED = true, FROZEN = true}
local stock_key, reserve_key, unbooked_key, buyers_key = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local term, version, allotted, state, opens_at, closes_at, limit, payment_window, sku_total = unpack(ARGV)

if #ARGV ~= 9 or not STATES[state] then
  return redis.error_reply('ERR restock: expected 9 arguments with a state, but got ' .. #ARGV)
end
for _, number in ipairs({term, version, allotted, opens_at, closes_at, limit, payment_window,
  sku_total == '' and '0' or sku_total}) do
  if not string.find(number, '^%d+$') then
    return redis.error_reply('ERR restock: expected whole numbers, but got ' .. number)
  end
end

local run_id, replid, loading, known_term, known_version, known_limit, claimed, released, entries =
  unpack(redis.call('HMGET', stock_key, 'run_id', 'replid', 'loading', 'term', 'version', 'limit', 'claimed',
    'released', 'entries'))
if not run_id then return ABSENT end
if tonumber(term) < tonumber(known_term) then return STALE_TERM end
if not is_here(run_id, replid) then return LOST end
if loading then return LOADING end
if not is_whole(entries, reserve_key, unbooked_key, buyers_key) then return LOST end
if tonumber(term) > tonumber(known_term) then redis.call('HSET', stock_key, 'term', term) end
if tonumber(version) < tonumber(known_version) then return OK end
-- With the version that it is of: a later one may come without it.
local changes = sku_total ~= '' and {'sku_total', version .. ':' .. sku_total} or {}
if tonumber(version) > tonumber(known_version) then
  local counts, counted = tonumber(limit) > 0, tonumber(known_limit) > 0 -- units per buyer
  if counts and not counted and tonumber(claimed) > tonumber(released) then return NEEDS_REBUILD end

  -- At once: with a part of it a take would be decided twice. allotted undoes a take that is not part of it.
  for field, value in pairs({taken = 0, version = version, total = allotted, state = state, opens_at = opens_at,
    closes_at = closes_at, limit = limit, payment_window = payment_window}) do
    changes[#changes + 1], changes[#changes + 2] = field, value
  end
  if not counts then redis.call('UNLINK', buyers_key) end
end
changes[#changes + 1], changes[#changes + 2] = 'entries', string.format('%d:%d:%d', redis.call('HLEN', reserve_key),
  redis.call('ZCARD', unbooked_key), redis.call('HLEN', buyers_key))
redis.call('HSET', stock_key, unpack(changes))
return OK
