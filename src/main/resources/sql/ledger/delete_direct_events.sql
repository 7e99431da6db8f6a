-- Deletes the oldest numbered events.
-- PARAMETERS: event_no of the last one
-- RETURNS: rows deleted
-- INVARIANT: -
DELETE FROM direct_event
WHERE event_no <= ?
