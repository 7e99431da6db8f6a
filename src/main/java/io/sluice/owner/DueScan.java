package io.sluice.owner;

import io.sluice.ledger.DuePage;
import io.sluice.ledger.DuePage.DuePlace;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.Reading.Looked;
import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the holds of a partition that are due, page by page, and cancels their orders. How far
 * it is, and what it looks at once more, {@link DueCursor} says.
 */
final class DueScan {
  static final int PAGE_MAX = 2_000;

  /** An order has the time of Redis' clock, and an outage that of the ledger's. */
  private static final Duration CLOCKS_APART = Duration.ofSeconds(2);

  private final Ledger ledger;
  private final int partition;
  private final DueCursor cursor = new DueCursor();
  private final Function<List<OrderToken>, Future<Void>> cancel;

  /** Of the orders that were placed after an outage, which it does not extend; null without one. */
  private @Nullable DueCursor fresh;

  /**
   * What is due.
   *
   * @param dueMs orders with a payment deadline up to this time are
   * @param nowMs and those with one up to this time that were placed after {@code sinceMs}
   * @param sinceMs when the last outage ended; 0 if there was none, or that is not known
   */
  record Due(long dueMs, long nowMs, long sinceMs) {}

  /**
   * @param cancel cancels those of these orders that are not paid
   */
  DueScan(Ledger ledger, int partition, Function<List<OrderToken>, Future<Void>> cancel) {
    this.ledger = ledger;
    this.partition = partition;
    this.cancel = cancel;
  }

  /**
   * Cancels a page of what is due, and after the last one a page of the walks; true if more is due
   * at once.
   *
   * @param read given the page before its orders are canceled
   * @param ended given it afterwards
   */
  Future<Boolean> step(Due now, Consumer<DuePage> read, Consumer<DuePage> ended) {
    return step(now.dueMs(), read, ended)
        .compose(more -> more ? Future.succeededFuture(true) : stepFresh(now));
  }

  /** The commands that cancel these orders, unless they are paid. */
  static List<Command> cancel(List<OrderToken> tokens) {
    return tokens.stream()
        .<Command>map(token -> new Command.Cancel(token, Reason.TIMEOUT))
        .toList();
  }

  /** Goes on where an earlier owner was; called before the first step. */
  void resume(Looked kept) {
    cursor.resume(kept);
  }

  /** Where a successor may go on, whatever is booked from now on. */
  Looked looked() {
    return cursor.looked();
  }

  /** Orders were booked; the earliest of their payment deadlines is this one. */
  void booked(long payBeforeMs) {
    cursor.booked(payBeforeMs);
    if (fresh != null) {
      fresh.booked(payBeforeMs);
    }
  }

  private Future<Boolean> stepFresh(Due now) {
    if (now.sinceMs() == 0 || now.dueMs() >= now.nowMs()) {
      fresh = null;
      return Future.succeededFuture(false);
    }
    DueCursor place = fresh == null ? new DueCursor() : fresh;
    if (fresh == null) {
      place.resume(new Looked(now.dueMs(), now.dueMs()));
      fresh = place;
    }
    return ledger
        .due(partition, place.next(now.nowMs()), now.nowMs(), Ledger.ORDERS_MAX)
        .compose(
            page ->
                ledger
                    .orders(page.tokens())
                    .compose(found -> cancel.apply(placedAfter(now.sinceMs(), found)))
                    .map(
                        canceled -> {
                          place.reached(page.last());
                          return !page.complete();
                        }));
  }

  private static List<OrderToken> placedAfter(long sinceMs, Map<OrderToken, Order> found) {
    return found.values().stream()
        .filter(order -> order.createdAtMs() > sinceMs + CLOCKS_APART.toMillis())
        .map(Order::token)
        .sorted(Comparator.comparing(OrderToken::value))
        .toList();
  }

  private Future<Boolean> step(long dueMs, Consumer<DuePage> read, Consumer<DuePage> ended) {
    return ledger
        .due(partition, cursor.next(dueMs), dueMs, PAGE_MAX)
        .compose(
            page -> {
              read.accept(page);
              return cancel
                  .apply(page.tokens())
                  .compose(
                      canceled -> {
                        ended.accept(page);
                        cursor.reached(page.last());
                        return page.complete() ? walkOn(dueMs) : Future.succeededFuture(true);
                      });
            });
  }

  /** One page with each scan; false, since it does not ask for a next scan at once. */
  private Future<Boolean> walkOn(long dueMs) {
    return cursor
        .walk(dueMs)
        .map(after -> ledger.due(partition, after, dueMs, PAGE_MAX).compose(this::walk))
        .orElse(Future.succeededFuture(false));
  }

  private Future<Boolean> walk(DuePage page) {
    return cancel
        .apply(page.tokens())
        .map(
            ended -> {
              cursor.walked(page.last(), page.complete());
              return false;
            });
  }

  /**
   * How far the holds of a partition have been looked at, by their payment deadlines: all before
   * have ended. So a scan does not read the ended holds of the whole ledger again.
   *
   * <p>It goes back when an order with an earlier deadline is booked. The owner does not learn of
   * every booking: others book past the log, and a reply may be lost. No order is booked with a
   * deadline that is more than half a minute over. So once a minute everything is looked at again
   * that could have been booked since the look-back before. If a database is put back to an older
   * state, an order that had ended may hold its units again without any sign of it here. So once in
   * {@link #ALL_EVERY} all holds are looked at, whichever instance owns the partition. Both are
   * walks of a page with each scan.
   *
   * <p>A successor resumes at a place that is never too high. It is below everything that was not
   * looked at yet, and that may have been booked since the last look-back, or will be. An extension
   * of the time to pay only delays what is due; it moves no hold to another place.
   */
  static final class DueCursor {
    static final Duration LOOK_BACK_EVERY = Duration.ofMinutes(1);

    /** How much older than the look-back before an order may be that was booked since. */
    static final Duration OLDER = Duration.ofMinutes(1);

    static final Duration ALL_EVERY = Duration.ofHours(1);

    private static final long NEVER = Long.MIN_VALUE;

    private DuePlace place = DuePlace.FIRST;

    /** The earliest deadline that was booked and is not looked at yet. */
    private long bookedMs = Long.MAX_VALUE;

    /** When the last look-back began, of those that have ended. */
    private long lookedBackMs = NEVER;

    private final DueWalk lookBack = new DueWalk();

    /** When the last walk over all holds began, of those that have ended. */
    private long lookedAtAllMs;

    private final DueWalk all = new DueWalk();

    /** Goes on where an earlier owner was; called before the first look. */
    void resume(Looked kept) {
      place = DuePlace.before(kept.fromMs());
      lookedAtAllMs = kept.allAtMs();
    }

    /** Where a successor may go on, whatever is booked from now on. */
    Looked looked() {
      long fromMs = Math.min(place.payBeforeMs(), bookedMs);
      return new Looked(
          lookedBackMs == NEVER
              ? fromMs
              : Math.max(0, Math.min(fromMs, lookedBackMs - OLDER.toMillis())),
          lookedAtAllMs);
    }

    /** An order with this deadline, or orders of which this is the earliest, were booked. */
    void booked(long payBeforeMs) {
      bookedMs = Math.min(bookedMs, payBeforeMs);
    }

    /**
     * Where to look next.
     *
     * @param dueMs until which deadline
     */
    DuePlace next(long dueMs) {
      if (lookedBackMs == NEVER) {
        begin(dueMs);
      } else if (dueMs < lookedBackMs) {
        lookedBackMs = dueMs;
        lookedAtAllMs = Math.min(lookedAtAllMs, dueMs);
      }
      goBack();
      return place;
    }

    /** The place of an earlier owner is of no use if the clock was set back. */
    private void begin(long dueMs) {
      lookedBackMs = dueMs;
      if (place.equals(DuePlace.FIRST) || place.payBeforeMs() > dueMs || lookedAtAllMs > dueMs) {
        place = DuePlace.FIRST;
        lookedAtAllMs = dueMs;
      }
    }

    /** Where a walk goes on, the look-back first; empty if none is due. Follows {@link #next}. */
    Optional<DuePlace> walk(long dueMs) {
      if (!lookBack.isUnderWay() && dueMs - lookedBackMs >= LOOK_BACK_EVERY.toMillis()) {
        lookBack.begin(DuePlace.before(lookedBackMs - OLDER.toMillis()), dueMs);
      }
      if (!all.isUnderWay() && dueMs - lookedAtAllMs >= ALL_EVERY.toMillis()) {
        all.begin(DuePlace.FIRST, dueMs);
      }
      return (lookBack.isUnderWay() ? lookBack : all).place();
    }

    /**
     * The walk that {@link #walk} named has looked at everything up to this hold.
     *
     * @param complete whether no further hold was due
     */
    void walked(DuePlace last, boolean complete) {
      if (lookBack.isUnderWay()) {
        lookedBackMs = lookBack.reached(last, complete) ? lookBack.beganMs() : lookedBackMs;
      } else {
        lookedAtAllMs = all.reached(last, complete) ? all.beganMs() : lookedAtAllMs;
      }
    }

    /** Everything up to this hold has ended, except what was booked since {@link #next}. */
    void reached(DuePlace last) {
      place = last;
    }

    private void goBack() {
      if (bookedMs <= place.payBeforeMs()) {
        place = DuePlace.before(bookedMs);
      }
      bookedMs = Long.MAX_VALUE;
    }

    /**
     * Looks once more at holds that the scan has passed, a page with each scan: holds that are due
     * now do not wait for it. It ends where the scan was when it began; holds behind that are the
     * scan's.
     */
    private static final class DueWalk {
      private @Nullable DuePlace place;
      private long beganMs;

      /**
       * @param from behind which place to look
       * @param nowMs until which deadline the scan looks now
       */
      void begin(DuePlace from, long nowMs) {
        place = from;
        beganMs = nowMs;
      }

      boolean isUnderWay() {
        return place != null;
      }

      /** Where it goes on; empty while it is not under way. */
      Optional<DuePlace> place() {
        return Optional.ofNullable(place);
      }

      /** When the last one began; also once it has ended. */
      long beganMs() {
        return beganMs;
      }

      /**
       * Everything up to this hold was looked at. Returns whether that is the end of the walk.
       *
       * @param complete whether no further hold was due
       */
      boolean reached(DuePlace last, boolean complete) {
        boolean atEnd = complete || last.payBeforeMs() > beganMs;
        place = atEnd ? null : last;
        return atEnd;
      }
    }
  }
}
