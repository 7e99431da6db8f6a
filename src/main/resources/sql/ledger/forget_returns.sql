-- Takes the tokens of orders out of the rows with which their units have left the stock.
-- PARAMETERS: salt; sku_id, row_token that such a row may have, of each
-- RETURNS: rows changed
-- INVARIANT: as forget_holds.sql. They get another place among the rows that an audit sums in slices: it begins again
UPDATE restock_row FORCE INDEX (PRIMARY)
SET row_token = CONCAT('!return-forgotten-', LEFT(SHA2(CONCAT(?, row_token), 256), 32))
WHERE (sku_id, row_token) IN ({rows 2})
