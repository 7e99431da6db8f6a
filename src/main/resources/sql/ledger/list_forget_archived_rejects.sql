-- Lists the next archived rejected orders of a buyer.
-- PARAMETERS: user_id; after which to begin: sku_id twice, bucket twice, order_token; limit
-- RETURNS: as list_forget_holds.sql; all are the buyer's, and have no number
-- INVARIANT: as list_forget_archived_holds.sql
SELECT sku_id, bucket, order_token, epoch, seq, sale_no, cart, 1, 0
FROM archive_reject FORCE INDEX (archive_reject_by_user)
WHERE user_id = ? AND (sku_id > ? OR (sku_id = ? AND (bucket > ? OR (bucket = ? AND order_token > ?))))
ORDER BY sku_id, bucket, order_token, step
LIMIT ?
