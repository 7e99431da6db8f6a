-- Runs a script for several buckets, one after the other, each as if it had been called alone. The script's text takes
-- the place of the line SCRIPT; it sees the keys and arguments of its bucket as KEYS and ARGV.
--
-- KEYS     per bucket: stock, reserve, unbooked, buyers
-- ARGV     per bucket: how many arguments follow, then these
-- RETURNS  per bucket what the script returns, or the error that ended it
-- INVARIANT  what happens to a bucket, errors included, changes nothing for those before and after it

local KEYS_PER_BUCKET = 4
local run_id

-- The Redis process that runs this.
local function this_process()
  run_id = run_id or string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
  return run_id
end

local function run(KEYS, ARGV)
SCRIPT
end

local replies, first_key, next_argument = {}, 1, 1
while first_key <= #KEYS do
  local keys, arguments, count = {}, {}, tonumber(ARGV[next_argument])
  for i = 1, KEYS_PER_BUCKET do keys[i] = KEYS[first_key + i - 1] end
  for i = 1, count do arguments[i] = ARGV[next_argument + i] end
  first_key, next_argument = first_key + KEYS_PER_BUCKET, next_argument + 1 + count

  local ended, reply = pcall(run, keys, arguments)
  if not ended and type(reply) ~= 'table' then reply = redis.error_reply('ERR ' .. tostring(reply)) end
  replies[#replies + 1] = reply or false
end
return replies
