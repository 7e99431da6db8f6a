-- Finds the last of the oldest numbered events that are old enough to be deleted.
-- PARAMETERS: maximum to look at, numbered_at before
-- RETURNS: event_no, or null
-- INVARIANT: looks at no more than that many rows
SELECT MAX(event_no)
FROM (
  SELECT event_no, numbered_at
  FROM direct_event
  ORDER BY event_no
  LIMIT ?) oldest
WHERE numbered_at < ?
