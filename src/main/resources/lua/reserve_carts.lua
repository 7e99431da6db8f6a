-- Grants or refuses carts in order, each as a whole, on the state left by the one before: all lines of a cart or none.
--
-- KEYS     per bucket: stock, reserve, unbooked, buyers; 1 to 512 buckets, each once
-- ARGV     the names of the buckets (sku_id.bucket), then the sale_no of each; then per cart: id of its tokens, user,
--          reference in base64url or empty, number of lines (2 to 20), then per line the number of its bucket in KEYS and
--          its quantity (1 to 1000), the lead first, no bucket twice; 1 to 128 carts
-- RETURNS  {granted_at, run}, then per bucket: bucket code, available after the batch, epoch, claimed, limit,
--          sold_out_ms, all 0 if not OK; then per cart: cart code, the number of the line that decided (0: none), and,
--          if GRANTED or ALREADY, the record of its lead, else empty, and whether it is unbooked (1 or 0)
--   bucket codes, the first that applies:
--     1 ABSENT         not loaded into this Redis
--     2 LOST           loaded into another Redis process or history, or a key of it has vanished
--     3 LOADING        a rebuild is in progress
--     8 OTHER_SALE     it is in another sale of its SKU: read the SKU again
--     0 OK
--   cart codes, the first that applies, to the first line that it applies to:
--     9 AWAY           the code of its bucket is not OK
--     0 MISMATCH       the token is recorded with other lines, another quantity or user
--     8 TORN           some lines are recorded and others are not, or they differ: nothing is repaired here
--     1 ENDED          a line of its order has ended
--     2 ALREADY        it was granted before; returns that grant
--     3 FROZEN         stopped by an operator
--     4 NOT_OPEN       before opens_at, after closes_at, or closed
--     5 LIMIT_REACHED  the buyer would hold more than the limit
--     6 SOLD_OUT       fewer units are available than requested
--     7 GRANTED
-- INVARIANT  that of reserve.lua, for each bucket; the records of a cart are written together, with the same lines, and
--          each of them is unbooked

local OK, ABSENT, LOST, LOADING, OTHER_SALE = 0, 1, 2, 3, 8
local MISMATCH, ENDED, ALREADY, FROZEN, NOT_OPEN, LIMIT_REACHED, SOLD_OUT, GRANTED, TORN, AWAY = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
local BUCKETS_MAX, CARTS_MAX, LINES_MAX, QTY_MAX, SOLD_OUT_MAX_MS = 512, 128, 20, 1000, 250
local RECORD = '^(%u)|%d+|%d+|%d+|%d+|%d+|%d+|[%w_-]*@?([%d.,]*)~?%d*~?%d*|(.*)$'
local count, buckets, carts, now, at = #KEYS / 4, {}, {}, time_ms(), 1 + #KEYS / 2
local format, run, outcomes = string.format, '', {}
local granted_at = format('%d', now)

local function fail() return redis.error_reply('ERR reserve_carts: expected buckets and 1 to 128 carts of 2 to 20 lines') end
if count < 1 or count > BUCKETS_MAX or count % 1 ~= 0 or #ARGV < at then return fail() end
for i = 1, count do
  local stock_key, reserve_key, unbooked_key, buyers_key = KEYS[4 * i - 3], KEYS[4 * i - 2], KEYS[4 * i - 1], KEYS[4 * i]
  local name, sale = ARGV[i], ARGV[count + i]
  buckets[i] = {stock = stock_key, reserve = reserve_key, unbooked = unbooked_key, buyers = buyers_key, name = name,
    sale = sale, asked = 0, tokens = {}, users = {}, granted = 0, fresh = {}, records = {}, held = {}, written = {},
    marks = {}, counts = {}, is_new = {}, new_buyers = 0}
end
while at <= #ARGV do
  local id, user, reference, size = ARGV[at], ARGV[at + 1], ARGV[at + 2], tonumber(ARGV[at + 3] or '')
  local cart = {user = user, reference = reference, lines = {}}
  if #carts == CARTS_MAX or id == '' or user == '' or not size or size < 2 or size > LINES_MAX or size % 1 ~= 0
      or string.find(reference, '[^%w_-]') then return fail() end
  for i = 1, size do
    local b, qty = buckets[tonumber(ARGV[at + 2 + 2 * i] or '')], tonumber(ARGV[at + 3 + 2 * i] or '')
    if not b or b.last == cart or not qty or qty < 1 or qty > QTY_MAX or qty % 1 ~= 0 then return fail() end
    local token = b.name .. '.' .. id
    b.last, b.asked, cart.lines[i] = cart, b.asked + 1, {bucket = b, qty = qty, token = token}
    b.tokens[b.asked], b.users[b.asked] = token, user
  end
  carts[#carts + 1], at = cart, at + 4 + 2 * size
end

local function read(b)
  local run_id, replid, loading, total, claimed, released, epoch, state, opens_at, closes_at, limit, window, sold_out_until,
    sale_no, has_others, entries = unpack(redis.call('HMGET', b.stock, 'run_id', 'replid', 'loading', 'total', 'claimed', 'released',
      'epoch', 'state', 'opens_at', 'closes_at', 'limit', 'payment_window', 'sold_out_until', 'sale_no', 'sku_total', 'entries'))
  if not run_id then return ABSENT end
  if not is_here(run_id, replid) then return LOST end
  if loading then return LOADING end
  if not is_whole(entries, b.reserve, b.unbooked, b.buyers) then return LOST end
  expect_replicas(b.stock) -- a primary that may have a successor must not return even a recorded grant
  if b.sale ~= (sale_no or '0') then return OTHER_SALE end
  b.entries, b.has_others, run, opens_at, closes_at = entries, has_others, string.sub(run_id, 1, 8), tonumber(opens_at), tonumber(closes_at)
  b.available, b.claimed, b.limit, b.epoch, b.window = total - claimed + released, tonumber(claimed), tonumber(limit), epoch, window
  local shut = state == 'CLOSED' or state == 'SCHEDULED' and now < opens_at or closes_at > 0 and now >= closes_at
  b.closed, b.sold_out_ms = state == 'FROZEN' and FROZEN or shut and NOT_OPEN, (sold_out_until or 0) - now
  if b.sold_out_ms < 0 or b.sold_out_ms > SOLD_OUT_MAX_MS or b.closed then b.sold_out_ms = 0 end -- larger: clock was set back
  if b.sold_out_ms > 0 then b.available = math.min(b.available, 0) end -- returned units wait until then
  for i, record in ipairs(redis.call('HMGET', b.reserve, unpack(b.tokens))) do b.records[b.tokens[i]] = record end
  for i, units in ipairs(b.limit > 0 and redis.call('HMGET', b.buyers, unpack(b.users)) or {}) do
    b.held[b.users[i]], b.is_new[b.users[i]] = tonumber(units or 0), not units
  end
  return OK
end

-- What is recorded of this cart: a code, and whether a line of it is unbooked.
local function recorded(cart)
  local same, ended, unbooked, first, asked = 0, false, 0, nil, {}
  for i, line in ipairs(cart.lines) do asked[i] = format('%s.%d', line.bucket.name, line.qty) end
  for i, line in ipairs(cart.lines) do
    local status, lines, holder = string.match(line.bucket.records[line.token] or '', RECORD)
    if status and i == 1 then
      first = lines
      local wanted = string.gsub(lines, '(%d+%.%d+%.%d+)%.%d+%.%d+%.%d+', '%1')
      if wanted ~= table.concat(asked, ',') or holder ~= cart.user then return MISMATCH end
    end
    same, ended = same + (status and lines == first and 1 or 0), ended or status == 'E'
    if status and (line.bucket.fresh[line.token] or redis.call('ZSCORE', line.bucket.unbooked, line.token)) then unbooked = 1 end
  end
  return same < #cart.lines and TORN or ended and ENDED or ALREADY, unbooked
end

local function grant(cart)
  local lines, count, all, pay_before = cart.lines, #cart.lines, '', format('%d', now + cart.lines[1].bucket.window * 1000)
  for i = 1, count do
    local line = lines[i]
    local b, qty = line.bucket, line.qty
    b.available, b.claimed = b.available - qty, b.claimed + qty
    line.seq = format('%d', b.claimed)
    all = all .. format(i == 1 and '%s.%d.' or ',%s.%d.', b.name, qty) .. b.epoch .. '.' .. line.seq .. '.' .. b.sale
  end
  local times, tail = '|' .. granted_at .. '|' .. pay_before .. '|', '|' .. cart.reference .. '@' .. all .. '|' .. cart.user
  for i = 1, count do
    local line = lines[i]
    local b, token, n = line.bucket, line.token, 2 * line.bucket.granted
    local record = format('L|%d|', line.qty) .. line.seq .. '|' .. b.epoch .. times .. b.sale .. tail
    b.granted, b.records[token], b.fresh[token] = b.granted + 1, record, true
    b.written[n + 1], b.written[n + 2], b.marks[n + 1], b.marks[n + 2] = token, record, granted_at, token
    if b.limit > 0 then
      if b.is_new[cart.user] then b.is_new[cart.user], b.new_buyers = false, b.new_buyers + 1 end
      b.held[cart.user] = b.held[cart.user] + line.qty
      b.counts[n + 1], b.counts[n + 2] = cart.user, b.held[cart.user]
    end
  end
end

local function decide(cart)
  local lines, has_record = cart.lines, false
  for i = 1, #lines do
    local b = lines[i].bucket
    if b.code ~= OK then return AWAY, i end
    has_record = has_record or b.records[lines[i].token]
  end
  if has_record then
    local code, unbooked = recorded(cart)
    return code, 0, unbooked
  end
  for i = 1, #lines do
    local line = lines[i]
    local b = line.bucket
    if b.closed then return b.closed, i end
    if b.limit > 0 and b.held[cart.user] + line.qty > b.limit then return LIMIT_REACHED, i end
    if line.qty > b.available then
      b.dry = b.dry or b.available <= 0
      return SOLD_OUT, i
    end
  end
  grant(cart)
  return GRANTED, 0, 1
end

for _, b in ipairs(buckets) do
  if b.asked == 0 then return fail() end
  b.code = read(b)
end
for i, cart in ipairs(carts) do
  local n, code, line, unbooked = 4 * i, decide(cart)
  local is_granted = code == GRANTED or code == ALREADY
  outcomes[n - 3], outcomes[n - 2], outcomes[n] = code, line, is_granted and unbooked or 0
  outcomes[n - 1] = is_granted and cart.lines[1].bucket.records[cart.lines[1].token] or ''
end
local function write(put)
  for _, b in ipairs(buckets) do
    if b.granted > 0 then put(b) end
  end
end
-- The units of all buckets first, the yes last: a script that is stopped half-way only strands units.
write(function(b)
  redis.call('HSET', b.stock, 'claimed', format('%d', b.claimed), counted(b.entries, b.granted, b.granted, b.new_buyers))
end)
write(function(b) if b.limit > 0 then redis.call('HSET', b.buyers, unpack(b.counts)) end end)
write(function(b) redis.call('ZADD', b.unbooked, unpack(b.marks)) end)
write(function(b) redis.call('HSET', b.reserve, unpack(b.written)) end)
local reply = {now, run}
for _, b in ipairs(buckets) do
  if b.dry and b.sold_out_ms == 0 and not b.has_others then -- units may come from others
    b.sold_out_ms = SOLD_OUT_MAX_MS
    redis.call('HSET', b.stock, 'sold_out_until', now + b.sold_out_ms)
  end
  for _, value in ipairs({b.code, b.available or 0, tonumber(b.epoch or 0), b.claimed or 0, b.limit or 0,
    b.sold_out_ms or 0}) do reply[#reply + 1] = value end
end
for _, value in ipairs(outcomes) do reply[#reply + 1] = value end
return reply
