-- Keeps what SKUs had come to in the sale that they leave.
-- PARAMETERS: sku_id, sale_no, sale_id, first_stock, total_stock, base, sold, settings, state of each
-- RETURNS: nothing
-- INVARIANT: in the transaction that puts them into their next sale; they are locked, and have ended
INSERT INTO earlier_sale (sku_id, sale_no, sale_id, first_stock, total_stock, base, sold, settings, state)
VALUES {rows 9}
