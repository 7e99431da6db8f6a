-- Ids of buyers of up to 128 characters. The columns are of utf8mb4, whose length takes two bytes already, so nothing is rewritten.
-- Releases of before write shorter ones, and read longer ones as they are.
-- INVARIANT: each statement may run again after a kill.

ALTER TABLE order_hold MODIFY user_id VARCHAR(128) NOT NULL;

ALTER TABLE order_reject MODIFY user_id VARCHAR(128) NOT NULL;

ALTER TABLE archive_hold MODIFY user_id VARCHAR(128) NOT NULL;

ALTER TABLE archive_reject MODIFY user_id VARCHAR(128) NOT NULL;

ALTER TABLE direct_hold MODIFY user_id VARCHAR(128) NOT NULL;

ALTER TABLE forget_job MODIFY user_id VARCHAR(128) NOT NULL;

ALTER TABLE blacklist MODIFY user_id VARCHAR(128) NOT NULL;
