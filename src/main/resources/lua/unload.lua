-- Deletes a bucket that has ended, or left the partition.
--
-- KEYS     1 stock  2 reserve  3 unbooked  4 buyers
-- ARGV     1 term  2 mark returned by freeze
-- RETURNS  bucket code
--   bucket codes, the first that applies:
--     4 STALE_TERM  Redis has seen a higher term
--     5 SUPERSEDED  the bucket is not LOADING under this term and mark, or Redis is now another process or
--                   history
--     0 OK          there is no such bucket, now or before
-- INVARIANT  deletes only under the caller's own LOADING mark, which is never used again, so that a late call deletes
--          nothing that was loaded since

local OK, STALE_TERM, SUPERSEDED = 0, 4, 5
local stock_key, reserve_key, unbooked_key, buyers_key = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local term, mark = ARGV[1], ARGV[2]

if #ARGV ~= 2 or not string.find(term, '^%d+$') then
  return redis.error_reply('ERR unload: expected term and mark')
end

local run_id, replid, known_mark, loading, known_term =
  unpack(redis.call('HMGET', stock_key, 'run_id', 'replid', 'mark', 'loading', 'term'))
known_term = tonumber(known_term or 0)
if tonumber(term) < known_term then return STALE_TERM end
if redis.call('EXISTS', stock_key, reserve_key, unbooked_key, buyers_key) == 0 then return OK end
if not loading or tonumber(term) > known_term or mark ~= known_mark
    or not is_here(run_id, replid) then
  return SUPERSEDED
end

redis.call('UNLINK', stock_key, reserve_key, unbooked_key, buyers_key)
return OK
