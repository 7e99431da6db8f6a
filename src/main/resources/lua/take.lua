-- Takes unsold units back: lowers the total, if enough units are available.
--
-- KEYS     1 stock  2 reserve  3 unbooked  4 buyers
-- ARGV     1 term  2 take id, a number that is higher with each take of this bucket  3 epoch  4 version  5 units
-- RETURNS  bucket code
--   bucket codes, the first that applies:
--     1 ABSENT      not loaded into this Redis: retry later
--     4 STALE_TERM  Redis has seen a higher term
--     2 LOST        loaded into another Redis process or history, or a key of it has vanished: retry later
--     3 LOADING     a rebuild is in progress: retry later
--     5 SUPERSEDED  epoch or version differs, or a later take was decided: this call is late
--     6 TOO_FEW     fewer units are available, or were when this take was decided
--     0 OK          done, now or before
-- INVARIANT  claimed units are never taken; in one epoch and version a take is decided once, despite duplicate or late
--          calls; a total that is set later undoes it

local OK, ABSENT, LOST, LOADING, STALE_TERM, SUPERSEDED, TOO_FEW = 0, 1, 2, 3, 4, 5, 6
local stock_key, reserve_key, unbooked_key, buyers_key = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local term, take_id, epoch = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local version, units = tonumber(ARGV[4]), tonumber(ARGV[5])

local function is_count(number) return number and number >= 1 and number % 1 == 0 end
if #ARGV ~= 5 or not (is_count(term) and is_count(take_id) and is_count(epoch) and is_count(version)
    and is_count(units)) then
  return redis.error_reply('ERR take: expected term, take id, epoch, version and units')
end

local run_id, replid, loading, known_term, total, claimed, released, known_epoch, known_version, taken,
  taken_code, entries = unpack(redis.call('HMGET', stock_key, 'run_id', 'replid', 'loading', 'term', 'total', 'claimed',
    'released', 'epoch', 'version', 'taken', 'taken_code', 'entries'))
if not run_id then return ABSENT end
if term < tonumber(known_term) then return STALE_TERM end
if not is_here(run_id, replid) then return LOST end
if loading then return LOADING end
if not is_whole(entries, reserve_key, unbooked_key, buyers_key) then return LOST end
if term > tonumber(known_term) then redis.call('HSET', stock_key, 'term', term) end

taken = tonumber(taken or 0)
if epoch ~= tonumber(known_epoch) or version ~= tonumber(known_version) or take_id < taken then return SUPERSEDED end
if take_id == taken then return tonumber(taken_code) end

local code = total - claimed + released < units and TOO_FEW or OK
if code == OK then total = total - units end
redis.call('HSET', stock_key, 'total', total, 'taken', take_id, 'taken_code', code)
return code
