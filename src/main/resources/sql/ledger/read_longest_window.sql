-- The longest time to pay that any SKU gives now.
-- PARAMETERS: none
-- RETURNS: seconds, 0 where there is no SKU
-- INVARIANT: -
SELECT COALESCE(MAX(CAST(JSON_EXTRACT(settings, '$.payment_window_s') AS SIGNED)), 0)
FROM inventory
