-- Reads the oldest grants of unbooked that have a minimum age, and those from the future, whose age is unknown because
-- the clock was set back.
--
-- KEYS     1 stock  2 reserve  3 unbooked  4 buyers
-- ARGV     1 minimum age in milliseconds, on the clock of Redis  2 maximum number of grants; 1 to 2,000
-- RETURNS  {bucket code} where that is not OK, else {OK, ...} followed per grant by its token and record, oldest first,
--          then those from the future
--   bucket codes, the first that applies:
--     1 ABSENT   not loaded into this Redis
--     2 LOST     loaded into another Redis process or history, or a key of it has vanished
--     3 LOADING  a rebuild is in progress
--     0 OK
-- INVARIANT  writes nothing; a token in unbooked has a live record, or is what is left of a grant that was refused
--          half-way: it is passed over

local OK, ABSENT, LOST, LOADING = 0, 1, 2, 3
local PAGE_MAX = 2000 -- unpack is limited to 8,000 values
local stock_key, reserve_key, unbooked_key, buyers_key = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local age, limit = tonumber(ARGV[1]), tonumber(ARGV[2])

if #ARGV ~= 2 or not age or age < 0 or age % 1 ~= 0 or not limit or limit < 1 or limit > PAGE_MAX or limit % 1 ~= 0 then
  return redis.error_reply('ERR overdue: expected an age and a limit of 1 to 2000')
end

local run_id, replid, loading, entries =
  unpack(redis.call('HMGET', stock_key, 'run_id', 'replid', 'loading', 'entries'))
if not run_id then return {ABSENT} end
if not is_here(run_id, replid) then return {LOST} end
if loading then return {LOADING} end
if not is_whole(entries, reserve_key, unbooked_key, buyers_key) then return {LOST} end

local now = time_ms()
local tokens = redis.call('ZRANGEBYSCORE', unbooked_key, '-inf', now - age, 'LIMIT', 0, limit)
if #tokens < limit then
  local ahead = redis.call('ZRANGEBYSCORE', unbooked_key, '(' .. string.format('%d', now), '+inf',
    'LIMIT', 0, limit - #tokens)
  for _, token in ipairs(ahead) do tokens[#tokens + 1] = token end
end
if #tokens == 0 then return {OK} end

local records = redis.call('HMGET', reserve_key, unpack(tokens))
local reply = {OK}
for i, token in ipairs(tokens) do
  if records[i] then reply[#reply + 1], reply[#reply + 2] = token, records[i] end
end
return reply
