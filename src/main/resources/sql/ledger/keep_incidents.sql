-- Keeps the alarms that an instance has raised.
-- PARAMETERS: first_at, instance_id, alarm, last_at, times, text of each
-- RETURNS: nothing
-- INVARIANT: a row that is there stays as it is, so that repeating this changes nothing
INSERT IGNORE INTO incident (first_at, instance_id, alarm, last_at, times, text)
VALUES {rows 6}
