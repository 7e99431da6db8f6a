-- Lists the alarms that were raised in a period.
-- PARAMETERS: its first and last time, limit
-- RETURNS: first_at, instance_id, alarm, last_at, times, text
-- INVARIANT: the first ones, in order
SELECT first_at, instance_id, alarm, last_at, times, text
FROM incident FORCE INDEX (PRIMARY)
WHERE first_at BETWEEN ? AND ?
ORDER BY first_at, instance_id, alarm
LIMIT ?
