-- Lists a page of the numbered events.
-- PARAMETERS: event_no after which to begin, limit
-- RETURNS: event_no, payload
-- INVARIANT: in order
SELECT event_no, payload
FROM direct_event
WHERE event_no > ?
ORDER BY event_no
LIMIT ?
