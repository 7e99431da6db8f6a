package io.sluice.owner.timeout;

import io.sluice.async.AsyncLoop;
import io.sluice.ledger.DirectLedger;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.LogProgress.Reading;
import io.sluice.model.Command;
import io.sluice.model.OrderToken;
import io.sluice.model.Placement;
import io.sluice.model.Reason;
import io.sluice.owner.timeout.DueScan.Due;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cancels orders of SKUs that sell in the ledger alone and that were not paid in time. Any number
 * of instances may: the lock of a bucket decides which of them ends an order, and the others find
 * it ended.
 *
 * <p>While the ledger is away nobody can pay. The time at which one of these instances could last
 * read it is stored; a gap extends the deadlines by its length, once.
 */
public final class DirectTimeouts {
  /** Commands in one transaction. */
  static final int BATCH_MAX = 500;

  /**
   * An instance that was cut off finds what the others have stored meanwhile. So a gap that is a
   * little longer than that between two of their readings was an outage for all.
   */
  static final Duration SEEN_MIN = Outages.KEEP_EVERY.plus(Outages.SEEN_MIN);

  private static final Logger log = LoggerFactory.getLogger(DirectTimeouts.class);

  private final Ledger ledger;
  private final DirectLedger direct;
  private final Duration unseenMin;
  private final DueCursor cursor = new DueCursor();
  private final DueScan due;
  private boolean resumed;
  private boolean failed;

  /** When the last outage ended of which this instance has stored the end, and its shift. */
  private long endedAtMs;

  private long shiftUntilMs;

  /**
   * @param every the interval at which {@link #step} is called
   */
  public DirectTimeouts(Ledger ledger, DirectLedger direct, Duration every) {
    this.ledger = ledger;
    this.direct = direct;
    this.unseenMin = Outages.unseenMin(every);
    this.due = new DueScan(ledger, Placement.DIRECT, cursor, this::cancel);
  }

  /** Scans one page; true if more is due at once. */
  public Future<Boolean> step() {
    return ledger
        .nowMs()
        .compose(nowMs -> readAt(nowMs).map(reading -> dueAt(reading, nowMs)))
        .onFailure(away -> failed = true)
        .compose(now -> due.step(now, page -> {}, page -> {}));
  }

  /** An instance that has not seen the end of the last outage leaves fresh orders to others. */
  private Due dueAt(Reading reading, long nowMs) {
    boolean isKnown = reading.shiftUntilMs() == shiftUntilMs;
    return new Due(Outages.dueMs(reading, nowMs), nowMs, isKnown ? endedAtMs : 0);
  }

  // ---- outages

  private Future<Reading> readAt(long nowMs) {
    return ledger
        .reading(Placement.DIRECT)
        .compose(
            stored -> {
              Reading last = stored.orElse(new Reading(nowMs, 0, 0));
              if (!resumed) {
                resumed = true;
                cursor.resume(last.looked());
              }
              return note(stored.map(Reading::readAtMs).orElse(0L), last, nowMs);
            });
  }

  private Future<Reading> note(long since, Reading last, long nowMs) {
    boolean outage = since != 0 && Outages.isOutage(last, nowMs, failed ? SEEN_MIN : unseenMin);
    if (outage) {
      return ledger
          .longestWindowMs()
          .compose(window -> keep(since, Outages.after(last, nowMs, window), true));
    }
    failed = false;
    boolean isRecent =
        since != 0 && Math.abs(nowMs - last.readAtMs()) < Outages.KEEP_EVERY.toMillis();
    return isRecent
        ? Future.succeededFuture(last)
        : keep(since, new Reading(nowMs, last.shiftMs(), last.shiftUntilMs()), false);
  }

  /** If another instance was faster, its stored time counts. */
  private Future<Reading> keep(long since, Reading now, boolean outage) {
    return direct
        .keepReading(since, now.with(cursor.looked()), outage)
        .compose(
            mine -> {
              if (!mine) {
                return ledger.reading(Placement.DIRECT).map(theirs -> theirs.orElse(now));
              }
              failed = false;
              if (outage) {
                endedAtMs = now.readAtMs();
                shiftUntilMs = now.shiftUntilMs();
                log.atWarn()
                    .addKeyValue("outageMs", now.readAtMs() - since)
                    .addKeyValue("shiftMs", now.shiftMs())
                    .addKeyValue("graceMs", now.shiftUntilMs() - now.readAtMs())
                    .log(
                        "payments of direct SKUs were impossible during an outage; payment"
                            + " deadlines are extended by its length");
              }
              return Future.succeededFuture(now);
            });
  }

  // ---- what is due

  private Future<Void> cancel(List<OrderToken> tokens) {
    int[] from = new int[1];
    return AsyncLoop.whileTrue(
        () -> {
          if (from[0] >= tokens.size()) {
            return Future.succeededFuture(false);
          }
          int to = Math.min(tokens.size(), from[0] + BATCH_MAX);
          List<Command> some =
              tokens.subList(from[0], to).stream()
                  .<Command>map(token -> new Command.Cancel(token, Reason.TIMEOUT))
                  .toList();
          from[0] = to;
          return direct.apply(some).map(true);
        });
  }
}
