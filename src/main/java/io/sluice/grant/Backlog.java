package io.sluice.grant;

import io.sluice.async.ThrottledTask;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger;
import io.sluice.metrics.Meters;
import io.sluice.metrics.ProcessMeters;
import io.sluice.orderlog.OrderLog;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Estimates how many orders are in the log and not booked yet, of all partitions and instances (the
 * consumer lag in orders). One per instance; thread-safe.
 *
 * <p>Offsets count records, not orders. So the estimate begins with the records between the
 * ledger's {@code next_offset} and the log's end, times the orders per record that this instance
 * got acknowledged lately. Added are all orders that it has begun to append since it last read the
 * log's end, acknowledged or not. Records of payments and cancellations count like those of orders.
 * A partition that takes no records is left out. If the ledger or the whole log does not answer,
 * the last known values are kept, and appended orders are still added. So the estimate may be too
 * high for a moment; it is too low only by what other instances append in larger records, or have
 * appended since the last read.
 *
 * <p>It reads at most every {@link #LOOK_EVERY}, and only while it is asked.
 */
public final class Backlog {
  static final Duration LOOK_EVERY = Duration.ofMillis(500);

  /** Grants per second on this instance; far below its maximum, and far above normal load. */
  static final long STAMPEDE_PER_S = 1_000;

  static final Duration WINDOW = Duration.ofMillis(100);
  private static final long NO_RECORD = -1;
  private static final long NANOS_PER_S = 1_000_000_000;

  /** An estimate, and how many orders this instance had appended before it. */
  private record Counted(long orders, long appendedBefore) {}

  private final OrderLog log;
  private final int partitions;
  private final int limit;
  private final LongSupplier nanoTime;
  private final ThrottledTask endLook;
  private final ThrottledTask fenceLook;
  private final LongAdder appended = new LongAdder();
  private final LongAdder acked = new LongAdder();
  private final LongAdder records = new LongAdder();

  /** The offset of the last acknowledged record of each partition. */
  private final AtomicLongArray lastRecord;

  private volatile Counted counted = new Counted(0, 0);

  // Guarded by this.
  private @Nullable Map<Integer, Long> ends;
  private @Nullable Map<Integer, Fence> fences;
  private long appendedAtEnds;
  private long ackedAtEnds;
  private long recordsAtEnds;
  private double ordersPerRecord = 1;
  private long windowStartNanos;
  private long appendedAtWindow;
  private long lastPerS;

  /**
   * @param limit of orders; the backlog is over its limit from this number on
   * @param nanoTime a monotonic clock
   */
  public Backlog(
      OrderLog log,
      Ledger ledger,
      int partitions,
      int limit,
      LongSupplier nanoTime,
      Meters meters) {
    this.log = log;
    this.partitions = partitions;
    this.limit = limit;
    this.nanoTime = nanoTime;
    this.windowStartNanos = nanoTime.getAsLong();
    this.lastRecord = new AtomicLongArray(partitions);
    IntStream.range(0, partitions).forEach(partition -> lastRecord.set(partition, NO_RECORD));
    this.endLook = new ThrottledTask(this::lookAtEnds, LOOK_EVERY, nanoTime);
    this.fenceLook =
        new ThrottledTask(() -> ledger.fences().onSuccess(this::noteFences), LOOK_EVERY, nanoTime);
    meters.logBacklog(this::orders);
    ProcessMeters.partitions(meters.registry(), partitions, this::records, this::term);
  }

  /** The records of this partition that are not booked, when it was last looked at. */
  private synchronized long records(int partition) {
    Long end = ends == null ? null : ends.get(partition);
    Fence fence = fences == null ? null : fences.get(partition);
    return end == null || fence == null ? 0 : Math.max(0, end - fence.nextOffset());
  }

  /** The term of its owner, when it was last looked at; 0 if it never had one. */
  private synchronized long term(int partition) {
    Fence fence = fences == null ? null : fences.get(partition);
    return fence == null ? 0 : fence.term();
  }

  /** Whether grants come so fast, or are so far from booked, that what nobody waits for waits. */
  public boolean isStampede() {
    return grantsPerS() >= STAMPEDE_PER_S || orders() >= (limit + 1) / 2;
  }

  /**
   * Whether grants come so fast that booking should give way to them, and may: the backlog is far
   * from its limit.
   */
  public boolean mayBookLater() {
    return grantsPerS() >= STAMPEDE_PER_S && orders() < limit / 2;
  }

  /** The rate of the last complete window. */
  private synchronized long grantsPerS() {
    long nowNanos = nanoTime.getAsLong();
    long windowNanos = nowNanos - windowStartNanos;
    if (windowNanos >= WINDOW.toNanos()) {
      long now = appended.sum();
      lastPerS = (now - appendedAtWindow) * NANOS_PER_S / windowNanos;
      appendedAtWindow = now;
      windowStartNanos = nowNanos;
    }
    return lastPerS;
  }

  /** Whether the owners are so far behind that nothing more should be added to the log. */
  boolean isOverLimit() {
    return orders() >= limit;
  }

  /** The current estimate. May start a read, whose result the next call uses. */
  long orders() {
    endLook.ask();
    fenceLook.ask();
    Counted last = counted;
    return last.orders() + appended.sum() - last.appendedBefore();
  }

  /** Called before each append of grants. Counts at once, because the outcome may stay unknown. */
  void appending(int orders) {
    appended.add(orders);
  }

  /** Called after each such append that is acknowledged. Several may be in one record. */
  void appended(int partition, long offset, int orders) {
    acked.add(orders);
    if (lastRecord.getAndAccumulate(partition, offset, Math::max) < offset) {
      records.increment();
    }
  }

  /**
   * Reads the end of each partition that takes records, one by one. The others get no new records,
   * and their owners cannot book them, so a failure of one must not close the log for the rest.
   */
  private Future<?> lookAtEnds() {
    long appendedBefore = appended.sum();
    long ackedBefore = acked.sum();
    long recordsBefore = records.sum();
    Map<Integer, Future<Long>> looks =
        IntStream.range(0, partitions)
            .filter(log::takes)
            .boxed()
            .collect(Collectors.toMap(Function.identity(), log::endOffset));
    return Future.join(List.copyOf(looks.values()))
        .transform(
            all -> {
              looks.values().removeIf(Future::failed);
              if (!looks.isEmpty()) {
                Map<Integer, Long> seen = new HashMap<>();
                looks.forEach((partition, end) -> seen.put(partition, end.result()));
                noteEnds(seen, appendedBefore, ackedBefore, recordsBefore);
              }
              return Future.succeededFuture();
            });
  }

  private synchronized void noteEnds(
      Map<Integer, Long> seen, long appendedBefore, long ackedBefore, long recordsBefore) {
    long newRecords = recordsBefore - recordsAtEnds;
    if (newRecords > 0) {
      double lately = (double) (ackedBefore - ackedAtEnds) / newRecords;
      ordersPerRecord = recordsAtEnds == 0 ? lately : (ordersPerRecord + lately) / 2;
    }
    ends = seen;
    appendedAtEnds = appendedBefore;
    ackedAtEnds = ackedBefore;
    recordsAtEnds = recordsBefore;
    count();
  }

  private synchronized void noteFences(Map<Integer, Fence> seen) {
    fences = seen;
    count();
  }

  private void count() {
    if (ends == null || fences == null) {
      return;
    }
    long behind = 0;
    for (Map.Entry<Integer, Long> end : ends.entrySet()) {
      Fence fence = fences.get(end.getKey());
      long nextOffset = fence == null ? 0 : fence.nextOffset();
      behind += Math.max(0, end.getValue() - nextOffset);
    }
    counted = new Counted((long) Math.ceil(behind * ordersPerRecord), appendedAtEnds);
  }
}
