-- Runs a script for several buckets, one after the other, each as if it had been called alone. The script's text takes
-- the place of the line SCRIPT; it sees the keys and arguments of its bucket as KEYS and ARGV.
--
-- KEYS     per bucket: stock, reserve, unbooked, buyers
-- ARGV     per bucket: how many arguments follow, then these
-- RETURNS  per bucket what the script returns, or the error that ended it
-- INVARIANT  what happens to a bucket, errors included, changes nothing for those before and after it

local KEYS_PER_BUCKET = 4
local run_id, now

-- The Redis process that runs this.
local function this_process()
  run_id = run_id or string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
  return run_id
end

-- The time here, epoch milliseconds: one moment for all buckets, as in any single script.
local function time_ms()
  if not now then
    local time = redis.call('TIME')
    now = time[1] * 1000 + math.floor(time[2] / 1000)
  end
  return now
end

local function run(KEYS, ARGV)
SCRIPT
end

local replies, first_key, next_argument = {}, 1, 1
while first_key <= #KEYS do
  local last_argument = next_argument + tonumber(ARGV[next_argument])
  local keys = {unpack(KEYS, first_key, first_key + KEYS_PER_BUCKET - 1)}
  local arguments = {unpack(ARGV, next_argument + 1, last_argument)}
  first_key, next_argument = first_key + KEYS_PER_BUCKET, last_argument + 1

  local ended, reply = pcall(run, keys, arguments)
  if not ended and type(reply) ~= 'table' then reply = redis.error_reply('ERR ' .. tostring(reply)) end
  replies[#replies + 1] = reply or false
end
return replies
