-- Reads the records of these tokens.
--
-- KEYS     1 stock  2 reserve  3 unbooked  4 buyers
-- ARGV     tokens; 1 to 512
-- RETURNS  {bucket code} if that is not OK, else {OK, ...} followed per token by its record, empty if there is
--          none, and unbooked (1 or 0)
--   bucket codes, the first that applies:
--     1 ABSENT   not loaded into this Redis
--     2 LOST     loaded into another Redis process or history, or a key of it has vanished
--     3 LOADING  a rebuild is in progress
--     0 OK
-- INVARIANT  writes nothing; an unbooked token that is recorded is live

local OK, ABSENT, LOST, LOADING = 0, 1, 2, 3
local BATCH_MAX = 512 -- unpack is limited to 8,000 values
local stock_key, reserve_key, unbooked_key, buyers_key = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local tokens = ARGV

if #tokens < 1 or #tokens > BATCH_MAX then
  return redis.error_reply('ERR lookup: expected 1 to 512 tokens, but got ' .. #tokens)
end

local run_id, replid, loading, entries =
  unpack(redis.call('HMGET', stock_key, 'run_id', 'replid', 'loading', 'entries'))
if not run_id then return {ABSENT} end
if not is_here(run_id, replid) then return {LOST} end
if loading then return {LOADING} end
if not is_whole(entries, reserve_key, unbooked_key, buyers_key) then return {LOST} end

local records = redis.call('HMGET', reserve_key, unpack(tokens))
local reply = {OK}
for i, token in ipairs(tokens) do
  local unbooked = records[i] and redis.call('ZSCORE', unbooked_key, token)
  reply[#reply + 1], reply[#reply + 2] = records[i] or '', unbooked and 1 or 0
end
return reply
