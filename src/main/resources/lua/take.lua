-- Takes unsold units back: lowers the total, if as many are available.
--
-- KEYS     1 stock  2 reserve (not used)  3 unbooked (not used)  4 buyers (not used)
-- ARGV     1 term  2 take id  3 units, at least 1
-- RETURNS  {bucket code, epoch}; epoch is 0 where the code is neither OK nor TOO_FEW
--   bucket codes, the first that applies:
--     1 ABSENT      not loaded into this Redis: again later
--     4 STALE_TERM  a higher term was here
--     2 LOST        loaded into another Redis process: again later
--     3 LOADING     a rebuild is under way: again later
--     6 TOO_FEW     fewer units are available
--     0 OK          done, or this take id was the last one done
-- INVARIANT  what is claimed is never taken; a take id counts once, as long as no other came in between

local OK, ABSENT, LOST, LOADING, STALE_TERM, TOO_FEW = 0, 1, 2, 3, 4, 6
local stock_key = KEYS[1]
local term, take_id, units = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3])

if #ARGV ~= 3 or not term or term < 1 or term % 1 ~= 0 or take_id == '' or not units or units < 1 or units % 1 ~= 0 then
  return redis.error_reply('ERR take: expected term, take id and units')
end

local run_id, loading, known_term, total, claimed, released, epoch, taken =
  unpack(redis.call('HMGET', stock_key, 'run_id', 'loading', 'term', 'total', 'claimed', 'released', 'epoch', 'taken'))
if not run_id then return {ABSENT, 0} end
if term < tonumber(known_term) then return {STALE_TERM, 0} end
if run_id ~= string.match(redis.call('INFO', 'server'), 'run_id:(%w+)') then return {LOST, 0} end
if loading then return {LOADING, 0} end
if term > tonumber(known_term) then redis.call('HSET', stock_key, 'term', term) end
if taken == take_id then return {OK, tonumber(epoch)} end
if total - claimed + released < units then return {TOO_FEW, tonumber(epoch)} end

redis.call('HSET', stock_key, 'total', total - units, 'taken', take_id)
return {OK, tonumber(epoch)}
