-- Marks a bucket LOADING for a rebuild, also in an empty Redis, and replaces a mark of a lower or equal term.
--
-- KEYS     1 stock  2 reserve (not used)  3 unbooked (not used)  4 buyers (not used)
-- ARGV     1 term  2 a number that the owner of this term uses once
-- RETURNS  {bucket code, mark, epoch, term}; the mark is the run id and replication id of this Redis and the number, so
--          that it is not used twice in a term, also if the bucket was deleted meanwhile; epoch and term are those
--          stored here, also of a lost history; 0 if there are none
--   bucket codes:
--     4 STALE_TERM  Redis has seen a higher term
--     0 OK          no grant, release, restock or take from now on until open
-- INVARIANT  the term never falls; the mark identifies this call, under this term, in this process and history of
--          Redis, so that late calls of an earlier rebuild find another mark

local OK, STALE_TERM = 0, 4
local stock_key = KEYS[1]
local term, number = tonumber(ARGV[1]), ARGV[2]

if #ARGV ~= 2 or not term or term < 1 or term % 1 ~= 0 or not string.find(number, '^[1-9]%d*$') then
  return redis.error_reply('ERR freeze: expected a term and a number')
end

local run_id, replid = this_history()
local known_term, epoch = unpack(redis.call('HMGET', stock_key, 'term', 'epoch'))
known_term, epoch = tonumber(known_term or 0), tonumber(epoch or 0)
if term < known_term then return {STALE_TERM, '', epoch, known_term} end

local mark = run_id .. ':' .. replid .. ':' .. number
redis.call('HSET', stock_key, 'term', term, 'run_id', run_id, 'replid', replid, 'mark', mark, 'loading', 1)
return {OK, mark, epoch, term}
