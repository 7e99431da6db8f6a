package io.sluice.client;

import java.util.List;

/**
 * A page of events.
 *
 * @param events at least once each, in order per order
 * @param next where the next page begins: store it once these events are done
 * @param more whether there are further events now
 */
public record EventPage(List<Event> events, String next, boolean more) {
  /** The events are copied. */
  public EventPage {
    events = List.copyOf(events);
  }

  static EventPage of(JsonObject json) {
    return new EventPage(
        json.objects("events").stream().map(Event::of).toList(),
        json.text("next"),
        json.flag("more"));
  }
}
