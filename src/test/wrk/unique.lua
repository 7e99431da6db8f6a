-- Every request is another buyer's order of one unit.
--
--   wrk -t1 -c128 -d10s -s src/test/wrk/unique.lua http://localhost:8080 -- SKU [PREFIX [SKUS [LINES]]]
--
-- SKU      the SKU that is ordered, 1001 by default
-- PREFIX   of the buyers' names; another one for each run, or the second run's buyers have their orders already
-- SKUS     how many SKUs, from SKU on, are ordered in turn; 1 by default
-- LINES    of each order: SKUS of 1, and this many SKUs from SKU on are ordered together; 1 by default

dofile("src/test/wrk/heard.lua")

local sku, prefix, skus, number, format = 1001, tostring(os.time()), 1, 0, string.format
local cart

function init(args)
  sku, prefix, skus = tonumber(args[1] or sku), args[2] or prefix, tonumber(args[3] or skus)
  local lines = {}
  for i = 1, tonumber(args[4] or 1) do
    lines[i] = format('{"sku_id":%d,"qty":1}', sku + i - 1)
  end
  cart = #lines > 1 and '{"lines":[' .. table.concat(lines, ",") .. "]}"
end

function request()
  number = number + 1
  local body = cart or format('{"sku_id":%d,"qty":1}', sku + (skus > 1 and number % skus or 0))
  return format("POST /v1/orders HTTP/1.1\r\nHost: bench\r\nX-User-Id: %s-%010d\r\n"
    .. "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", prefix, number, #body, body)
end
