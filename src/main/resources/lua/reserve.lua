-- Grants or refuses the requests of a batch in order, each on the state left by the one before.
--
-- KEYS     1 stock  2 reserve  3 unbooked  4 buyers
-- ARGV     1 the sale_no of all requests, then the tokens of all, then their users, then their quantities (1 to 1000),
--          then their references in base64url, empty if there is none; 1 to 512 requests
-- RETURNS  {bucket code} if that is not OK, else {OK, available after the batch, epoch, granted_at, pay_before,
--          claimed, limit, sold_out_ms, run, sale_no, ...} followed per request by its token code and, if GRANTED,
--          seq; if ALREADY, record and unbooked (1 or 0); sold_out_ms: time without grants from now on, 0 to 250 ms;
--          run: the first 8 characters of the run id; sale_no: of the SKU's sale, 0 if it is in none
--   bucket codes, the first that applies:
--     1 ABSENT         not loaded into this Redis
--     2 LOST           loaded into another Redis process or history, or a key of it has vanished
--     3 LOADING        a rebuild is in progress
--     8 OTHER_SALE     it is in another sale of its SKU: read the SKU again
--     0 OK
--   token codes, the first that applies:
--     0 MISMATCH       the token is recorded with another quantity or user, or is that of a cart
--     1 ENDED          its order has ended
--     2 ALREADY        it was granted before; returns that grant
--     3 FROZEN         stopped by an operator
--     4 NOT_OPEN       before opens_at, after closes_at, or closed
--     5 LIMIT_REACHED  the buyer would hold more than the limit
--     6 SOLD_OUT       fewer units are available than requested
--     7 GRANTED
-- INVARIANT  no grant takes available = total - claimed + released below 0; claimed only grows, and the seq of a grant
--          is claimed after it, its reference that of its request; a refusal writes nothing except sold_out_until,
--          which is set only when nothing is available and the SKU has no other bucket (else by sold_out), and is
--          never extended: until it has passed, claimed and the recorded tokens do not change; each recorded grant is
--          claimed and was unbooked, also if a write was refused

local OK, ABSENT, LOST, LOADING, OTHER_SALE = 0, 1, 2, 3, 8
local MISMATCH, ENDED, ALREADY, FROZEN, NOT_OPEN, LIMIT_REACHED, SOLD_OUT, GRANTED = 0, 1, 2, 3, 4, 5, 6, 7
local BATCH_MAX, QTY_MAX, SOLD_OUT_MAX_MS = 512, 1000, 250 -- unpack is limited to 8,000 values
local stock_key, reserve_key, unbooked_key, buyers_key = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local sale, count = ARGV[1], (#ARGV - 1) / 4

if count < 1 or count > BATCH_MAX or count % 1 ~= 0 then
  return redis.error_reply('ERR reserve: expected a sale and 1 to 512 quadruples, but got ' .. #ARGV .. ' arguments')
end
for i = 1, count do
  local token, user = ARGV[1 + i], ARGV[1 + count + i]
  local qty, reference = tonumber(ARGV[1 + 2 * count + i]), ARGV[1 + 3 * count + i]
  if token == '' or user == '' or not qty or qty < 1 or qty > QTY_MAX or qty % 1 ~= 0 or reference:find('[^%w_-]') then
    return redis.error_reply('ERR reserve: expected token, user, units, reference, but request ' .. i .. ' lacks them')
  end
end
local run_id, replid, loading, total, claimed, released, epoch, state, opens_at, closes_at, limit, payment_window,
  sold_out_until, sale_no, has_others, entries = unpack(redis.call('HMGET', stock_key, 'run_id', 'replid', 'loading', 'total',
    'claimed', 'released', 'epoch', 'state', 'opens_at', 'closes_at', 'limit', 'payment_window',
    'sold_out_until', 'sale_no', 'sku_total', 'entries'))
if not run_id then return {ABSENT} end
if not is_here(run_id, replid) then return {LOST} end
if loading then return {LOADING} end
if not is_whole(entries, reserve_key, unbooked_key, buyers_key) then return {LOST} end
expect_replicas(stock_key) -- a primary that may have a successor must not return even a recorded grant
if sale ~= (sale_no or '0') then return {OTHER_SALE} end
local now, available = time_ms(), total - claimed + released
claimed, limit, opens_at, closes_at = tonumber(claimed), tonumber(limit), tonumber(opens_at), tonumber(closes_at)
local shut = state == 'CLOSED' or state == 'SCHEDULED' and now < opens_at or closes_at > 0 and now >= closes_at
local closed = state == 'FROZEN' and FROZEN or shut and NOT_OPEN
local sold_out_ms, sold_out = (sold_out_until or 0) - now, false
if sold_out_ms < 0 or sold_out_ms > SOLD_OUT_MAX_MS or closed then sold_out_ms = 0 end -- larger: clock was set back
if sold_out_ms > 0 then available = math.min(available, 0) end -- returned units wait until then
local recorded, held = redis.call('HMGET', reserve_key, unpack(ARGV, 2, 1 + count)), {} -- held: units per buyer
local is_new, new_buyers = {}, 0 -- buyers who held nothing
for i, units in ipairs(limit > 0 and redis.call('HMGET', buyers_key, unpack(ARGV, 2 + count, 1 + 2 * count)) or {}) do
  local user = ARGV[1 + count + i]; held[user], is_new[user] = tonumber(units or 0), not units
end
local pay_before, granted_at = now + payment_window * 1000, string.format('%d', now) -- faster than Redis converts
local shared = string.format('|%s|%s|%d|%s|', epoch, granted_at, pay_before, sale_no or 0) -- in all records
local fresh, records, marks, counts = {}, {}, {}, {} -- the grants of this batch, and arguments of three writes
local reply = {OK, 0, tonumber(epoch), now, pay_before, 0, limit, 0, string.sub(run_id, 1, 8), sale_no or 0}
for i = 1, count do
  local token, user = ARGV[1 + i], ARGV[1 + count + i]
  local qty, reference = tonumber(ARGV[1 + 2 * count + i]), ARGV[1 + 3 * count + i]
  local n, record, code, detail, unbooked = #reply, recorded[i] or fresh[token]
  if record then
    -- The record of a line of a cart does not match: it has no holder here.
    local status, units, asked, holder = string.match(record, '^(%u)|(%d+)|%d+|%d+|%d+|%d+|%d+|[%w_-]*~?(%d*)~?%d*|(.*)$')
    code = (holder ~= user or (tonumber(asked) or units + 0) ~= qty) and MISMATCH or status == 'E' and ENDED or ALREADY
    if code == ALREADY then
      detail, unbooked = record, (fresh[token] or redis.call('ZSCORE', unbooked_key, token)) and 1 or 0
    end
  elseif closed then code = closed
  elseif limit > 0 and held[user] + qty > limit then code = LIMIT_REACHED
  elseif qty > available then code, sold_out = SOLD_OUT, true
  else
    available, claimed = available - qty, claimed + qty
    code, detail = GRANTED, claimed
    fresh[token] = string.format('L|%d|%d', qty, claimed) .. shared .. reference .. '|' .. user
    records[#records + 1], records[#records + 2] = token, fresh[token]
    marks[#marks + 1], marks[#marks + 2] = granted_at, token
    if limit > 0 then
      if is_new[user] then is_new[user], new_buyers = false, new_buyers + 1 end
      held[user] = held[user] + qty
      counts[#counts + 1], counts[#counts + 2] = user, held[user]
    end
  end
  reply[n + 1], reply[n + 2], reply[n + 3] = code, detail, unbooked
end
if #records > 0 then -- the units first, the yes last: a script that is stopped half-way only strands units
  local granted = #records / 2
  redis.call('HSET', stock_key, 'claimed', string.format('%d', claimed), counted(entries, granted, granted, new_buyers))
  if limit > 0 then redis.call('HSET', buyers_key, unpack(counts)) end
  redis.call('ZADD', unbooked_key, unpack(marks))
  redis.call('HSET', reserve_key, unpack(records))
end
if sold_out and available <= 0 and sold_out_ms == 0 and not has_others then -- units may come from others
  sold_out_ms = SOLD_OUT_MAX_MS
  redis.call('HSET', stock_key, 'sold_out_until', now + sold_out_ms)
end
reply[2], reply[6], reply[8] = available, claimed, sold_out_ms
return reply
