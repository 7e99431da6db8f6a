-- Runs several calls of a script, one after the other, each as if it had been made alone. The script's text replaces
-- the line SCRIPT; it sees the keys and arguments of its call as KEYS and ARGV. Most scripts are for one bucket.
--
-- KEYS     per bucket of each call: stock, reserve, unbooked, buyers
-- ARGV     per call: the number of arguments, with a colon and the number of buckets if these are several; then the
--          arguments
-- RETURNS  per call the reply of the script, or the error that ended it
-- INVARIANT  a call is not affected by those before and after it, nor by their errors

local KEYS_PER_BUCKET, ID_LENGTH = 4, 40
local run_id, replid, asks_for_replicas, has_replicas, now

-- A plain search takes half the time of a pattern match.
local function id_in(info, name)
  local _, name_end = string.find(info, name, 1, true)
  return string.sub(info, name_end + 1, name_end + ID_LENGTH)
end

-- The run id of this Redis process, and the replication id of its data. A primary that was demoted and promoted again
-- is the same process, but has lost writes: only the replication id differs then.
local function this_history()
  if not run_id then
    local server, replication
    if redis.REDIS_VERSION_NUM then -- Redis 7.0 has both sections in one call
      server = redis.call('INFO', 'server', 'replication')
      replication = server
    else
      server, replication = redis.call('INFO', 'server'), redis.call('INFO', 'replication')
    end
    run_id = id_in(server, 'run_id:')
    replid = id_in(replication, 'master_replid:')
    asks_for_replicas = string.find(replication, 'min_slaves_good_slaves:', 1, true)
  end
  return run_id, replid
end

-- Whether this is still the Redis process and history in which these two ids were stored, so that its data is complete.
local function is_here(stored_run_id, stored_replid)
  local here_run_id, here_replid = this_history()
  return stored_run_id == here_run_id and stored_replid == here_replid
end

-- Whether the other keys of a bucket have as many entries as its head counts. If one of them was evicted or deleted, what
-- rests on it would be answered wrong, and the bucket is LOST.
local function is_whole(entries, reserve_key, unbooked_key, buyers_key)
  local records, unbooked = redis.pcall('HLEN', reserve_key), redis.pcall('ZCARD', unbooked_key)
  local buyers = redis.pcall('HLEN', buyers_key) -- an error: the key is of another type
  return type(records) == 'number' and type(unbooked) == 'number' and type(buyers) == 'number'
    and entries == string.format('%d:%d:%d', records, unbooked, buyers)
end

-- The entries after as many more, or fewer, of each key: arguments of the HSET of the head.
local function counted(entries, records, unbooked, buyers)
  local had_records, had_unbooked, had_buyers = string.match(entries, '^(%d+):(%d+):(%d+)$')
  return 'entries', string.format('%d:%d:%d', had_records + records, had_unbooked + unbooked, had_buyers + buyers)
end

-- Ends the script with an error if this Redis requires replicas (min-replicas-to-write) but has lost them, since one
-- of them may have been promoted. Redis checks for replicas only before a write. This write changes nothing, because
-- the field exists, and is not replicated. A Redis that is out of memory refuses it only after that check.
local function expect_replicas(stock_key)
  if asks_for_replicas and not has_replicas then
    local reply = redis.pcall('HSETNX', stock_key, 'run_id', '')
    local refusal = type(reply) == 'table' and reply.err
    if refusal and not string.find(refusal, 'OOM', 1, true) then error(reply) end
    has_replicas = true
  end
end

-- The clock of Redis, epoch milliseconds; read once, so that all buckets see the same time.
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
  local argument_count, buckets = tonumber(ARGV[next_argument]), 1
  if not argument_count then argument_count, buckets = string.match(ARGV[next_argument], '^(%d+):(%d+)$') end
  local last_key, last_argument = first_key + KEYS_PER_BUCKET * buckets - 1, next_argument + argument_count
  local keys = {unpack(KEYS, first_key, last_key)}
  local arguments = {unpack(ARGV, next_argument + 1, last_argument)}
  first_key, next_argument = last_key + 1, last_argument + 1

  local ended, reply = pcall(run, keys, arguments)
  if not ended and type(reply) ~= 'table' then reply = redis.error_reply('ERR ' .. tostring(reply)) end
  replies[#replies + 1] = reply or false
end
return replies
