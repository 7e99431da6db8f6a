-- Ends a rebuild: the bucket serves again, according to its state.
--
-- KEYS     1 stock  2 reserve  3 unbooked  4 buyers
-- ARGV     1 term  2 mark returned by freeze
-- RETURNS  bucket code
--   bucket codes, the first that applies:
--     4 STALE_TERM  Redis has seen a higher term
--     5 SUPERSEDED  the bucket is not LOADING under this term and mark, there was no load under it, Redis is now
--                   another process or history, or a key has vanished since the load
--     0 OK
-- INVARIANT  removes the caller's own LOADING mark and changes nothing else

local OK, STALE_TERM, SUPERSEDED = 0, 4, 5
local LOADED = '2' -- the value of loading after load; freeze sets 1
local stock_key, reserve_key, unbooked_key, buyers_key = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local term, mark = ARGV[1], ARGV[2]

if #ARGV ~= 2 or not string.find(term, '^%d+$') then
  return redis.error_reply('ERR open: expected term and mark')
end

local run_id, replid, known_mark, loading, known_term, entries =
  unpack(redis.call('HMGET', stock_key, 'run_id', 'replid', 'mark', 'loading', 'term', 'entries'))
known_term = tonumber(known_term or 0)
if tonumber(term) < known_term then return STALE_TERM end
if loading ~= LOADED or tonumber(term) > known_term or mark ~= known_mark
    or not is_here(run_id, replid) or not is_whole(entries, reserve_key, unbooked_key, buyers_key) then
  return SUPERSEDED
end

redis.call('HDEL', stock_key, 'loading')
return OK
