-- Reads the oldest grants of unbooked that have a minimum age, and those from the future, whose age is unknown because
-- the clock was set back; of a bucket that is LOST or LOADING a page of all that are left.
--
-- KEYS     1 stock  2 reserve  3 unbooked  4 buyers
-- ARGV     1 minimum age in milliseconds, on the clock of Redis  2 maximum number of grants; 1 to 2,000
--          3 how many tokens to pass over: those that an earlier call has returned if LOST or LOADING, since none
--          can be removed there; else those of which it has found none to have a record
-- RETURNS  {ABSENT}, or {bucket code, ...} followed per grant by its token and record, oldest first, then, if OK,
--          those from the future
--   bucket codes, the first that applies:
--     1 ABSENT   not loaded into this Redis
--     2 LOST     loaded into another Redis process or history, or a key of it has vanished
--     3 LOADING  a rebuild is in progress
--     0 OK
-- INVARIANT  writes nothing; a token in unbooked has a live record, or is what is left of a grant that was refused
--          half-way: it is passed over. A call passes over the first 10,000 tokens; if none of them has a record,
--          over 10,000 of those behind, other ones each minute, so what is there is found in the end

local OK, ABSENT, LOST, LOADING = 0, 1, 2, 3
local PAGE_MAX = 2000 -- unpack is limited to 8,000 values
local WINDOW_MAX = 10000
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

local function is_full() return #reply >= 1 + 2 * limit end

local function add(tokens)
  local records = #tokens > 0 and redis.call('HMGET', reserve_key, unpack(tokens)) or {}
  for i, token in ipairs(tokens) do
    if is_full() then return end
    if records[i] then reply[#reply + 1], reply[#reply + 2] = token, records[i] end
  end
end

if code ~= OK then
  add(redis.call('ZRANGE', unbooked_key, skip, skip + limit - 1))
  return reply
end

-- Those of the age and those from the future are one list; between them are those that are too young.
-- Their numbers are looked for by halves: a command that the login did not need before would be forbidden to it.
local all = redis.call('ZCARD', unbooked_key)
local function count_up_to(score)
  local low, high = 0, all
  while low < high do
    local middle = math.floor((low + high) / 2)
    if tonumber(redis.call('ZRANGE', unbooked_key, middle, middle, 'WITHSCORES')[2]) > score then
      high = middle
    else
      low = middle + 1
    end
  end
  return low
end
local old = count_up_to(now - age)
local young = math.max(count_up_to(now) - old, 0)
local listed = all - young

-- By rank, as each page would look for its offset anew if it went by score.
local function add_window(from)
  local to, size = math.min(from + WINDOW_MAX, listed), limit
  while from < to and not is_full() do
    local last = math.min(from + size, from < old and math.min(old, to) or to)
    local shift = from < old and 0 or young
    add(redis.call('ZRANGE', unbooked_key, from + shift, last + shift - 1))
    from, size = last, PAGE_MAX
  end
end

add_window(skip)
local windows = math.ceil((listed - skip) / WINDOW_MAX)
local minute = math.floor(now / 60000)
if #reply == 1 and windows > 1 then add_window(skip + WINDOW_MAX * (1 + minute % (windows - 1))) end
return reply
