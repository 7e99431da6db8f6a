-- Lists the next archived orders of a buyer.
-- PARAMETERS: user_id; after which to begin: sku_id twice, bucket twice, epoch twice, seq; limit
-- RETURNS: as list_forget_holds.sql; all are the buyer's, and have no number
-- INVARIANT: by index, in its order; takes no lock
SELECT sku_id, bucket, order_token, epoch, seq, sale_no, cart, 1, 0
FROM archive_hold FORCE INDEX (archive_hold_by_user)
WHERE user_id = ? AND (sku_id > ? OR (sku_id = ? AND (bucket > ? OR (bucket = ? AND (epoch > ? OR (epoch = ? AND seq > ?))))))
ORDER BY sku_id, bucket, epoch, seq
LIMIT ?
