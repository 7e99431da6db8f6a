-- Reads the longest payment window of any SKU.
-- PARAMETERS: none
-- RETURNS: seconds, 0 where there is no SKU
-- INVARIANT: -
SELECT COALESCE(MAX(CAST(JSON_EXTRACT(settings, '$.payment_window_s') AS SIGNED)), 0)
FROM inventory
