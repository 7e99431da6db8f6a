-- Reads the oldest grants of unbooked that have a minimum age, and those from the future, whose age is unknown because
-- the clock was set back; of a bucket that is LOST or LOADING a page of all that are left.
--
-- KEYS     1 stock  2 reserve  3 unbooked  4 buyers
-- ARGV     1 minimum age in milliseconds, on the clock of Redis  2 maximum number of grants; 1 to 2,000
--          3 how many of the oldest to pass over if LOST or LOADING, since none can be removed there
-- RETURNS  {ABSENT}, or {bucket code, ...} followed per grant by its token and record, oldest first, then, if OK,
--          those from the future
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
local age, limit, skip = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])

local function is_count(number) return number and number >= 0 and number % 1 == 0 end
if #ARGV ~= 3 or not is_count(age) or not is_count(limit) or limit < 1 or limit > PAGE_MAX or not is_count(skip) then
  return redis.error_reply('ERR overdue: expected an age, a limit of 1 to 2000 and a number to pass over')
end

local run_id, replid, loading, entries =
  unpack(redis.call('HMGET', stock_key, 'run_id', 'replid', 'loading', 'entries'))
if not run_id then return {ABSENT} end
local code = not is_here(run_id, replid) and LOST or loading and LOADING or OK
if code == OK and not is_whole(entries, reserve_key, unbooked_key, buyers_key) then code = LOST end

local now, reply = time_ms(), {code}

local function add(tokens)
  local records = #tokens > 0 and redis.call('HMGET', reserve_key, unpack(tokens)) or {}
  for i, token in ipairs(tokens) do
    if records[i] then reply[#reply + 1], reply[#reply + 2] = token, records[i] end
  end
end

-- A page without any record is passed over: the next one may have some.
local function add_between(from, to)
  local had, passed = #reply, 0
  repeat
    local tokens = redis.call('ZRANGEBYSCORE', unbooked_key, from, to, 'LIMIT', passed, limit - (had - 1) / 2)
    passed = passed + #tokens
    add(tokens)
  until #tokens == 0 or #reply > had
end

if code == OK then
  add_between('-inf', now - age)
  if #reply < 1 + 2 * limit then add_between('(' .. string.format('%d', now), '+inf') end
else
  add(redis.call('ZRANGE', unbooked_key, skip, skip + limit - 1))
end
return reply
