-- Looks at many buckets at once: whether anything is to be done for one of them.
--
-- KEYS     per bucket: stock, reserve, unbooked, buyers; 1 to 500 buckets
-- ARGV     none
-- RETURNS  {bucket code, whether none has unbooked grants (1 or 0)}
--   bucket codes, the first that applies to the first bucket to which one does:
--     1 ABSENT   not loaded into this Redis
--     2 LOST     a key of it has vanished
--     0 OK       all of them are there, in any state
-- INVARIANT  writes nothing

local OK, ABSENT, LOST = 0, 1, 2
local quiet = 1

if #ARGV ~= 0 or #KEYS == 0 or #KEYS % 4 ~= 0 then
  return redis.error_reply('ERR quiet: expected buckets and no arguments, but got ' .. #ARGV)
end
for i = 4, #KEYS, 4 do
  local stock_key, reserve_key, unbooked_key, buyers_key = KEYS[i - 3], KEYS[i - 2], KEYS[i - 1], KEYS[i]
  local run_id, loading, entries = unpack(redis.call('HMGET', stock_key, 'run_id', 'loading', 'entries'))
  if not run_id then return {ABSENT, 0} end
  if not loading and not is_whole(entries, reserve_key, unbooked_key, buyers_key) then return {LOST, 0} end
  if redis.call('ZCARD', unbooked_key) > 0 then quiet = 0 end
end
return {OK, quiet}
