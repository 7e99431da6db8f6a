-- Records restocks.
-- PARAMETERS: sku_id, restock_id, qty, status, unsold of each
-- RETURNS: nothing; a duplicate key if it was inserted concurrently
-- INVARIANT: idempotent by SKU and restock id
INSERT INTO restock (sku_id, restock_id, qty, status, unsold)
VALUES {rows 5}
