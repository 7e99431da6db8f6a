-- Reads a page of all recorded tokens, live and ended ones.
--
-- KEYS     1 stock  2 reserve  3 unbooked  4 buyers
-- ARGV     1 cursor, initially 0  2 approximate number of tokens; 1 to 2,000
-- RETURNS  {bucket code} if that is not OK, else {OK, epoch, claimed, total number of tokens, next cursor, ...}
--          followed by token and user of each; the next cursor is 0 at the end
--   bucket codes, the first that applies:
--     1 ABSENT   not loaded into this Redis
--     2 LOST     loaded into another Redis process or history, or a key of it has vanished
--     3 LOADING  a rebuild is in progress
--     0 OK
-- INVARIANT  writes nothing; each new token raises epoch or claimed, and none is removed within an epoch: so all pages
--          from cursor 0 to 0 with the same epoch and claimed have every token, some of them twice

local OK, ABSENT, LOST, LOADING = 0, 1, 2, 3
local PAGE_MAX = 2000
local stock_key, reserve_key, unbooked_key, buyers_key = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local cursor, count = ARGV[1], tonumber(ARGV[2])

if #ARGV ~= 2 or not string.find(cursor, '^%d+$') or not count or count < 1 or count > PAGE_MAX or count % 1 ~= 0 then
  return redis.error_reply('ERR tokens: expected a cursor and 1 to 2000')
end

local run_id, replid, loading, epoch, claimed, entries =
  unpack(redis.call('HMGET', stock_key, 'run_id', 'replid', 'loading', 'epoch', 'claimed', 'entries'))
if not run_id then return {ABSENT} end
if not is_here(run_id, replid) then return {LOST} end
if loading then return {LOADING} end
if not is_whole(entries, reserve_key, unbooked_key, buyers_key) then return {LOST} end

local page = redis.call('HSCAN', reserve_key, cursor, 'COUNT', count)
local reply = {OK, epoch, claimed, redis.call('HLEN', reserve_key), page[1]}
for i = 1, #page[2], 2 do
  local user = string.match(page[2][i + 1], '^%u|%d+|%d+|%d+|%d+|%d+|%d+|[^|]*|(.*)$')
  reply[#reply + 1], reply[#reply + 2] = page[2][i], user
end
return reply
