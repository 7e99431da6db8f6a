-- Reads an empty bucket for the second time, and lets it grant no new token for a while: the SKU seems to be sold out.
--
-- KEYS     1 stock  2 reserve  3 unbooked  4 buyers
-- ARGV     none
-- RETURNS  {bucket code} if that is not OK, else {OK, total, claimed, released, epoch, version, sku_total, limit,
--          sold_out_ms}; sku_total: the units of all buckets of the SKU, -1 if that is not known for this version;
--          sold_out_ms: time without grants from now on, 0 to 250 ms; 0 if units are available or it does not sell
--   bucket codes, the first that applies:
--     1 ABSENT   not loaded into this Redis
--     2 LOST     loaded into another Redis process or history, or a key of it has vanished
--     3 LOADING  a rebuild is in progress
--     0 OK
-- INVARIANT  writes only sold_out_until, if nothing is available, and never extends it: until it has passed, claimed
--          and the recorded tokens do not change

local OK, ABSENT, LOST, LOADING = 0, 1, 2, 3
local SOLD_OUT_MAX_MS = 250
local stock_key, reserve_key, unbooked_key, buyers_key = KEYS[1], KEYS[2], KEYS[3], KEYS[4]

if #ARGV ~= 0 then return redis.error_reply('ERR sold_out: expected no arguments, but got ' .. #ARGV) end

local run_id, replid, loading, total, claimed, released, epoch, version, state, opens_at, closes_at, limit,
  sold_out_until, stored, entries = unpack(redis.call('HMGET', stock_key, 'run_id', 'replid', 'loading', 'total', 'claimed',
    'released', 'epoch', 'version', 'state', 'opens_at', 'closes_at', 'limit', 'sold_out_until', 'sku_total', 'entries'))
if not run_id then return {ABSENT} end
if not is_here(run_id, replid) then return {LOST} end
if loading then return {LOADING} end
if not is_whole(entries, reserve_key, unbooked_key, buyers_key) then return {LOST} end
expect_replicas(stock_key) -- a primary that may have a successor must not say what is sold out

local now = time_ms()
opens_at, closes_at = tonumber(opens_at), tonumber(closes_at)
local sells = (state == 'OPEN' or state == 'SCHEDULED' and now >= opens_at) and (closes_at == 0 or now < closes_at)
local sold_out_ms = (sold_out_until or 0) - now
if sold_out_ms < 0 or sold_out_ms > SOLD_OUT_MAX_MS or not sells then sold_out_ms = 0 end -- larger: clock was set back
if sold_out_ms == 0 and sells and total - claimed + released <= 0 then
  sold_out_ms = SOLD_OUT_MAX_MS
  redis.call('HSET', stock_key, 'sold_out_until', now + sold_out_ms)
end
local sku_version, sku_total = string.match(stored or '', '^(%d+):(%d+)$')
return {OK, tonumber(total), tonumber(claimed), tonumber(released), tonumber(epoch), tonumber(version),
  sku_version == version and tonumber(sku_total) or -1, tonumber(limit), sold_out_ms}
