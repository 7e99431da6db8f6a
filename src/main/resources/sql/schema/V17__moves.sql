-- Units that move between the buckets of a SKU: requests of the kind BORROW, outbox rows of the type MOVE, and restock rows !move-<id>,
-- all in tables that are there. Releases of before do not know them, so none is written before the ledger is of this level.
-- INVARIANT: each statement may run again after a kill.

INSERT IGNORE INTO instance_level (level) VALUES (5);
