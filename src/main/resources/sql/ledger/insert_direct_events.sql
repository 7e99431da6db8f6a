-- Inserts numbered events.
-- PARAMETERS: event_no, payload, numbered_at of each
-- RETURNS: nothing
-- INVARIANT: the duty EVENTS is locked, so a number is committed before a higher one is given
INSERT INTO direct_event (event_no, payload, numbered_at)
VALUES {rows 3}
