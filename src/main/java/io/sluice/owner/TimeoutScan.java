package io.sluice.owner;

import io.sluice.async.LoopContext.Timers;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.Ledger.Glance;
import io.sluice.model.Command;
import io.sluice.model.OrderToken;
import io.sluice.orderlog.LogUnavailableException;
import io.sluice.orderlog.OrderLog;
import io.sluice.owner.DueScan.Due;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Cancels orders that were not paid in time.
 *
 * <p>It first notes the time and the log's end offset, and cancels what was due then only after the
 * log is booked up to that offset. A payment deep in the log is not late. While the log takes no
 * records, cannot be read, or ends before the ledger's next offset, orders wait, and {@link
 * Outages} extends their deadlines.
 */
final class TimeoutScan {
  static final Duration LOG_WAIT_MAX = Duration.ofSeconds(5);

  /** The state when the scan began: the database's clock, and the end of the log. */
  private record Noted(Due due, long endOffset) {}

  /** The state when the log was found readable. */
  private record Seen(long nowMs, long endOffset) {}

  private final Ledger ledger;
  private final OwnedLedger owned;
  private final Function<List<Command>, Future<Void>> apply;
  private final Ownership ownership;
  private final OrderLog orderLog;
  private final Timers timers;
  private final Consumer<Throwable> logCut;
  private final Outages outages;
  private final UnreadLog unreadLog;
  private final DueScan due;
  private final DueAlarm alarm;
  private @Nullable Noted noted;

  /**
   * @param apply applies the commands that cancel orders
   * @param everyMs the interval at which {@link #step} is called
   * @param logCut notified each time the log is found to end before the ledger's next offset
   * @param wake asks for a call of {@link #step} now
   */
  TimeoutScan(
      OwnerContext context,
      Function<List<Command>, Future<Void>> apply,
      int everyMs,
      Consumer<Throwable> logCut,
      Runnable wake) {
    this.ledger = context.ledger();
    this.owned = context.owned();
    this.apply = apply;
    this.ownership = context.ownership();
    this.orderLog = context.orderLog();
    this.timers = context.timers();
    this.logCut = logCut;
    this.unreadLog = new UnreadLog(context);
    this.due = new DueScan(ledger, ownership.partition(), this::cancel);
    this.outages = new Outages(context, due, Duration.ofMillis(everyMs));
    this.alarm = new DueAlarm(context.timers(), Duration.ofMillis(everyMs), wake);
  }

  /** Orders were booked; the earliest of their payment deadlines is this one. */
  void booked(long payBeforeMs) {
    due.booked(payBeforeMs);
    alarm.due(payBeforeMs);
  }

  /** Scans one page; true if more is due at once. */
  Future<Boolean> step() {
    return look()
        .onFailure(unreadable -> outages.away())
        .compose(
            seen ->
                outages
                    .read(seen.nowMs())
                    .compose(due -> scan(new Noted(due, seen.endOffset())))
                    .onComplete(scanned -> alarm.looked(seen.nowMs())));
  }

  /** Continues an earlier scan, if it is not finished, with the time and offset noted then. */
  private Future<Boolean> scan(Noted seen) {
    Noted now = noted == null ? seen : noted;
    noted = now;
    // A long backlog is left to the next scan, which continues with what this one noted.
    return ownership
        .bookedUpTo(now.endOffset(), () -> timers.after(LOG_WAIT_MAX))
        .compose(caughtUp -> caughtUp ? cancelDue(now) : Future.succeededFuture(false));
  }

  /**
   * If booking lags, also checks that the next records still exist; if they were deleted, the log
   * cannot be read either.
   */
  private Future<Seen> look() {
    long booked = ownership.fence().nextOffset();
    return ledger
        .glance(ownership.partition())
        .map(Glance::nowMs)
        .compose(
            nowMs ->
                orderLog
                    .endOffset(ownership.partition())
                    .compose(end -> notCut(booked, end))
                    .compose(end -> lags() ? notLost(end) : Future.succeededFuture(end))
                    .compose(this::payable)
                    .map(end -> new Seen(nowMs, end)));
  }

  /**
   * A log that can be read may still take no records, e.g. while it has too few in-sync replicas;
   * then nobody can pay.
   */
  private Future<Long> payable(long end) {
    return orderLog.takes(ownership.partition())
        ? Future.succeededFuture(end)
        : Future.failedFuture(
            new LogUnavailableException(
                "Expected the log of partition %d to take records, but it takes none"
                    .formatted(ownership.partition())));
  }

  private boolean lags() {
    return noted != null && ownership.fence().nextOffset() < noted.endOffset();
  }

  private Future<Long> notLost(long end) {
    return unreadLog
        .expectThere()
        .map(end)
        .recover(
            lost ->
                // Rejected as soon as an operator has reset the partition, like the one below.
                owned.apply(List.of()).compose(stillOurs -> Future.failedFuture(lost)));
  }

  /**
   * Detects a log that lost its end. The consumer may not notice: it may keep polling a leader that
   * no longer exists.
   */
  private Future<Long> notCut(long booked, long end) {
    if (end >= booked) {
      return Future.succeededFuture(end);
    }
    var cut =
        new LogUnavailableException(
            "Expected the log of partition %d to hold offset %d, but it ends at %d"
                .formatted(ownership.partition(), booked, end));
    logCut.accept(cut);
    // Writes nothing, but is rejected as soon as an operator has reset the partition.
    return owned.apply(List.of()).compose(stillOurs -> Future.failedFuture(cut));
  }

  private Future<Boolean> cancelDue(Noted now) {
    return due.step(
        now.due(),
        page -> {
          if (page.complete()) {
            noted = null;
          }
        },
        page -> {
          if (!page.tokens().isEmpty()) {
            alarm.found(now.due().dueMs());
          }
        });
  }

  private Future<Void> cancel(List<OrderToken> tokens) {
    return tokens.isEmpty() ? Future.succeededFuture() : apply.apply(DueScan.cancel(tokens));
  }

  /**
   * Wakes the scan for time-outs when something that this owner knows of is due. Its own interval
   * is the safety net: for what others booked, and for deadlines that are too many to be
   * remembered.
   *
   * <p>Deadlines are rounded up to {@link #SLOT}, so that however many orders are due, there are
   * few scans. A batch tells only its earliest deadline; as long as a scan finds something, the
   * next one follows after a slot, so that the others are found as well.
   */
  static final class DueAlarm {
    static final Duration SLOT = Duration.ofMillis(100);

    /** Further slots are left to the interval, the latest ones first. */
    static final int SLOTS_MAX = 4_096;

    private final Timers timers;
    private final Duration interval;
    private final Runnable wake;
    private final TreeSet<Long> slots = new TreeSet<>();
    private long armedMs = Long.MAX_VALUE;

    /**
     * @param interval at which the scan is woken anyway
     */
    DueAlarm(Timers timers, Duration interval, Runnable wake) {
      this.timers = timers;
      this.interval = interval;
      this.wake = wake;
    }

    /** Something is due at this time of the ledger. */
    void due(long payBeforeMs) {
      if (payBeforeMs > Long.MAX_VALUE - SLOT.toMillis()) {
        return;
      }
      slots.add(roundedUp(payBeforeMs));
      if (slots.size() > SLOTS_MAX) {
        slots.pollLast();
      }
    }

    /** A scan has found something that was due at this time; more may follow soon. */
    void found(long dueMs) {
      due(dueMs + 1);
    }

    /**
     * The ledger's clock was read by a scan. A hold that is due before the next scan of the
     * interval gets a timer.
     */
    void looked(long nowMs) {
      slots.headSet(nowMs, true).clear();
      if (armedMs <= nowMs) {
        armedMs = Long.MAX_VALUE;
      }
      if (slots.isEmpty()) {
        return;
      }
      long next = slots.first();
      if (next < armedMs && next - nowMs < interval.toMillis()) {
        armedMs = next;
        timers.after(Duration.ofMillis(next - nowMs)).onSuccess(due -> rung(next));
      }
    }

    private static long roundedUp(long ms) {
      long slotMs = SLOT.toMillis();
      return (ms + slotMs - 1) / slotMs * slotMs;
    }

    private void rung(long slot) {
      if (armedMs == slot) {
        armedMs = Long.MAX_VALUE;
      }
      wake.run();
    }
  }
}
