-- Removes tokens from unbooked after the commit that booked them in the ledger is known to have happened.
--
-- KEYS     1 stock  2 reserve  3 unbooked  4 buyers
-- ARGV     1 term  2 offset at which the term began to book the log  3 offset up to which it has, then tokens; 1 to 512
-- RETURNS  bucket code
--   bucket codes:
--     4 STALE_TERM  Redis has seen a higher term
--     0 OK          done, or nothing to do, or dropped: the bucket is not served, and a rebuild loads them as booked
-- INVARIANT  the term never falls; no unit moves; booked_to is the highest offset reported by the term booked_by; a
--          term that began below what an earlier one had booked does not change them until the bucket is loaded again

local OK, STALE_TERM = 0, 4
local BATCH_MAX = 512 -- unpack is limited to 8,000 values
local stock_key, reserve_key, unbooked_key, buyers_key = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local term, from, to, tokens = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), {}

local function is_count(number) return number and number >= 0 and number % 1 == 0 end
if not is_count(term) or term < 1 or not is_count(from) or not is_count(to) or #ARGV < 4 or #ARGV > BATCH_MAX + 3 then
  return redis.error_reply('ERR book: expected a term, two offsets and 1 to 512 tokens')
end
for i = 4, #ARGV do tokens[i - 3] = ARGV[i] end

local run_id, replid, loading, known_term, booked_by, booked_to, entries =
  unpack(redis.call('HMGET', stock_key, 'run_id', 'replid', 'loading', 'term', 'booked_by', 'booked_to', 'entries'))
booked_by, booked_to = tonumber(booked_by or 0), tonumber(booked_to or 0)
if not run_id then return OK end
if term < tonumber(known_term) then return STALE_TERM end
if loading or not is_here(run_id, replid) then return OK end
if not is_whole(entries, reserve_key, unbooked_key, buyers_key) then return OK end

local removed = redis.call('ZREM', unbooked_key, unpack(tokens)) -- first: allowed when Redis is out of memory
local is_ours = booked_by == term
if is_ours and to > booked_to or not is_ours and from >= booked_to then booked_by, booked_to = term, to end
redis.call('HSET', stock_key, 'term', term, 'booked_by', booked_by, 'booked_to', booked_to,
  counted(entries, 0, -removed, 0))
return OK
