-- Deletes rows of moves that were added to the rows of their buckets.
-- PARAMETERS: sku_id, row_token of each
-- RETURNS: rows deleted
-- INVARIANT: by their tokens, since a booking may append another one between them meanwhile
DELETE FROM restock_row
WHERE sku_id = ? AND row_token IN ({list})
