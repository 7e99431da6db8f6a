package io.sluice.feed;

import io.sluice.ledger.DirectLedger;
import io.sluice.ledger.DirectLedger.NumberedEvent;
import io.sluice.orderlog.EventCursor;
import io.sluice.orderlog.EventPages;
import io.sluice.orderlog.EventPages.Found.Gone;
import io.sluice.orderlog.EventPages.Found.NoCursor;
import io.sluice.orderlog.EventPages.Found.Page;
import io.vertx.core.Future;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The events that the ledger has numbered, if there is no order log. A cursor is the number of the
 * last event. There are no heartbeats.
 */
public record NumberedPages(DirectLedger ledger) implements EventPages {
  private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

  @Override
  public Future<Found> after(String after, int limit, boolean heartbeats) {
    if (after.equals(NEWEST)) {
      return ledger
          .eventNumbers()
          .map(now -> new Page(List.of(), Long.toString(now.last()), false));
    }
    if (!NUMBER.matcher(after).matches()) {
      // The cursor of a topic is of a time when the service had one.
      return Future.succeededFuture(
          EventCursor.parse(after).isPresent() ? new Gone(0, 0) : new NoCursor());
    }
    return after(Long.parseLong(after), limit);
  }

  /** The numbers are read last, so nothing was deleted unseen between. */
  private Future<Found> after(long number, int limit) {
    return ledger
        .events(number, limit)
        .compose(
            events ->
                number == 0 || (!events.isEmpty() && events.get(0).number() == number + 1)
                    ? Future.succeededFuture(page(number, events, limit))
                    : ledger
                        .eventNumbers()
                        .map(
                            now ->
                                now.hasAllAfter(number)
                                    ? new Page(
                                        List.of(), Long.toString(number), now.last() > number)
                                    : new Gone(0, now.firstAtMs())));
  }

  private static Found page(long number, List<NumberedEvent> events, int limit) {
    long last = events.isEmpty() ? number : events.get(events.size() - 1).number();
    return new Page(
        events.stream().map(NumberedPages::json).toList(),
        Long.toString(last),
        events.size() == limit);
  }

  /** The text of an event is an object with at least its type. */
  private static String json(NumberedEvent event) {
    return "{\"event_no\":" + event.number() + "," + event.payload().substring(1);
  }
}
