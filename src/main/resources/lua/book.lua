-- Takes tokens out of unbooked: a commit that is known to have happened has put them into the ledger.
--
-- KEYS     1 stock  2 reserve (not used)  3 unbooked  4 buyers (not used)
-- ARGV     1 term, then tokens; 1 to 512
-- RETURNS  bucket code
--   bucket codes:
--     4 STALE_TERM  a higher term was here
--     0 OK          done, or nothing to do, or dropped because the bucket is away: a rebuild loads them as booked
-- INVARIANT  the term never falls; no unit moves

local OK, STALE_TERM = 0, 4
local BATCH_MAX = 512 -- one unpack takes at most 8,000 values
local stock_key, unbooked_key = KEYS[1], KEYS[3]
local term, tokens = tonumber(ARGV[1]), {}

if not term or term < 1 or term % 1 ~= 0 or #ARGV < 2 or #ARGV > BATCH_MAX + 1 then
  return redis.error_reply('ERR book: expected a term and 1 to 512 tokens')
end
for i = 2, #ARGV do tokens[i - 1] = ARGV[i] end

local run_id, replid, loading, known_term =
  unpack(redis.call('HMGET', stock_key, 'run_id', 'replid', 'loading', 'term'))
if not run_id then return OK end
if term < tonumber(known_term) then return STALE_TERM end
if loading or not is_here(run_id, replid) then return OK end

redis.call('ZREM', unbooked_key, unpack(tokens))
if term > tonumber(known_term) then redis.call('HSET', stock_key, 'term', term) end
return OK
