package io.sluice.feed;

import io.sluice.async.Asker;
import io.sluice.async.AsyncLoop;
import io.sluice.async.Poll;
import io.sluice.async.Poll.Deadline;
import io.sluice.orderlog.Event;
import io.sluice.orderlog.EventPages;
import io.sluice.orderlog.EventPages.Found;
import io.sluice.orderlog.EventPages.Found.Page;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Listeners that wait for the next event. An event that this instance hears wakes them; without an
 * order log none is heard, and the ledger is asked each second. Thread-safe.
 */
public final class EventWaits {
  /** The time between two looks of a listener, if the instance hears events. */
  static final Duration LOOK_EVERY = Duration.ofSeconds(5);

  /** The same if it hears none. */
  static final Duration LOOK_EVERY_UNHEARD = Duration.ofSeconds(1);

  /** From an event to the look, so that those that come together are read together. */
  static final Duration GATHER = Duration.ofMillis(20);

  private final EventPages pages;
  private final Poll poll;
  private final Duration lookEvery;
  private final Set<Asker<Void>> waiting = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /**
   * @param hears whether the instance hears events
   */
  public EventWaits(EventPages pages, boolean hears, Poll poll) {
    this.pages = pages;
    this.poll = poll;
    this.lookEvery = hears ? LOOK_EVERY : LOOK_EVERY_UNHEARD;
  }

  public void heard(int partition, Event event) {
    if (!event.type().equals(Event.HEARTBEAT)) {
      wake();
    }
  }

  private void wake() {
    waiting.forEach(
        asker -> {
          if (waiting.remove(asker)) {
            asker.tell(Future.succeededFuture());
          }
        });
  }

  /** Answers all who wait with what they know, and those who come later at once. */
  public void close() {
    closed = true;
    wake();
  }

  /** {@link EventPages#after}, at once. */
  public Future<Found> after(String after, int limit, boolean heartbeats) {
    return pages.after(after, limit, heartbeats);
  }

  /**
   * The same as soon as there is an event, or after this time.
   *
   * @param left completes when nobody waits any longer
   */
  public Future<Found> after(
      String after, int limit, boolean heartbeats, Duration wait, Future<Void> left) {
    Deadline end = poll.deadline(wait);
    AtomicReference<String> from = new AtomicReference<>(after);
    AtomicReference<Found> last = new AtomicReference<>();
    return AsyncLoop.whileTrue(
            () -> {
              // Before the look: an event that comes after it must not be missed.
              Asker<Void> asker = Asker.here();
              waiting.add(asker);
              return pages
                  .after(Objects.requireNonNull(from.get()), limit, heartbeats)
                  .compose(
                      found -> {
                        last.set(found);
                        if (!isEmpty(found) || closed || left.isComplete() || poll.isOver(end)) {
                          return Future.succeededFuture(false);
                        }
                        Page page = (Page) found;
                        from.set(page.next());
                        return page.more()
                            ? Future.succeededFuture(true)
                            : news(asker.answer(), left, end);
                      })
                  .onComplete(looked -> waiting.remove(asker));
            })
        .map(done -> last.get());
  }

  private static boolean isEmpty(Found found) {
    return found instanceof Page page && page.events().isEmpty();
  }

  /** True when it is time for the next look. */
  private Future<Boolean> news(Future<Void> heard, Future<Void> left, Deadline end) {
    Duration rest = poll.left(end);
    return Future.any(
            heard.compose(event -> poll.timers().after(GATHER)),
            left,
            poll.timers().after(rest.compareTo(lookEvery) < 0 ? rest : lookEvery))
        .map(true);
  }
}
