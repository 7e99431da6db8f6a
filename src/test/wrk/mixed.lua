-- A sale as it is: seven of ten are new buyers, two ask again with the key they had, one looks at the SKU.
--
--   wrk -t1 -c128 -d10s -s src/test/wrk/mixed.lua http://localhost:8080 -- SKU [PREFIX]

dofile("src/test/wrk/heard.lua")

local sku, prefix, number, turn, format = 1001, tostring(os.time()), 0, 0, string.format

function init(args)
  sku, prefix = tonumber(args[1] or sku), args[2] or prefix
end

local function order(buyer)
  local body = format('{"sku_id":%d,"qty":1}', sku)
  return format("POST /v1/orders HTTP/1.1\r\nHost: bench\r\nX-User-Id: %s-%010d\r\nIdempotency-Key: once\r\n"
    .. "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", prefix, buyer, #body, body)
end

function request()
  turn = turn + 1
  local kind = turn % 10
  if kind == 0 then
    return format("GET /v1/skus/%d HTTP/1.1\r\nHost: bench\r\n\r\n", sku)
  end
  if kind < 3 and number > 0 then
    return order(math.random(number))
  end
  number = number + 1
  return order(number)
end
