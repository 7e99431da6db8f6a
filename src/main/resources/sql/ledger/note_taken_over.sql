-- Notes that all SKUs of a sale have its last version.
-- PARAMETERS: sale_id
-- RETURNS: 1 row found
-- INVARIANT: the sale is locked, and no SKU of it is behind
UPDATE sale
SET behind = 0
WHERE sale_id = ?
