-- A hundred buyers who ask for the same order again and again: one grant each, and the same order every time.
--
--   wrk -t1 -c128 -d10s -s src/test/wrk/repeated.lua http://localhost:8080 -- SKU [PREFIX [BUYERS]]

dofile("src/test/wrk/heard.lua")

local sku, prefix, buyers, number, format = 1001, tostring(os.time()), 100, 0, string.format

function init(args)
  sku, prefix, buyers = tonumber(args[1] or sku), args[2] or prefix, tonumber(args[3] or buyers)
end

function request()
  number = number + 1
  local body = format('{"sku_id":%d,"qty":1}', sku)
  return format("POST /v1/orders HTTP/1.1\r\nHost: bench\r\nX-User-Id: %s-%d\r\nIdempotency-Key: once\r\n"
    .. "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", prefix, number % buyers, #body, body)
end
