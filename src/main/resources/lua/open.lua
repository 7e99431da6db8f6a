-- Ends a rebuild: the bucket serves again, as its state says.
--
-- KEYS     1 stock  2 reserve (not used)  3 unbooked (not used)  4 buyers (not used)
-- ARGV     1 term  2 run id that freeze answered
-- RETURNS  bucket code
--   bucket codes, the first that applies:
--     4 STALE_TERM  a higher term was here
--     5 SUPERSEDED  there is no LOADING mark of this term and run id, nothing was loaded under it, or Redis is another
--                   process now
--     0 OK
-- INVARIANT  takes away the caller's own LOADING mark and sets nothing else

local OK, STALE_TERM, SUPERSEDED = 0, 4, 5
local LOADED = '2' -- the value of loading once there is a head; freeze sets 1
local stock_key = KEYS[1]
local term, run_id = ARGV[1], ARGV[2]

if #ARGV ~= 2 or not string.find(term, '^%d+$') then
  return redis.error_reply('ERR open: expected term and run id')
end

local marked_run_id, loading, known_term = unpack(redis.call('HMGET', stock_key, 'run_id', 'loading', 'term'))
known_term = tonumber(known_term or 0)
if tonumber(term) < known_term then return STALE_TERM end
if loading ~= LOADED or tonumber(term) > known_term or run_id ~= marked_run_id
    or run_id ~= string.match(redis.call('INFO', 'server'), 'run_id:(%w+)') then
  return SUPERSEDED
end

redis.call('HDEL', stock_key, 'loading')
return OK
