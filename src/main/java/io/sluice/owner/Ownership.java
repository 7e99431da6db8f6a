package io.sluice.owner;

import io.sluice.async.ExecutionSequencer.EndedException;
import io.sluice.ledger.BucketRow;
import io.sluice.ledger.Fence;
import io.sluice.stock.StockStore.Stretch;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The state of an ownership: the fence as last written, and the callers that wait until the log is
 * booked up to an offset.
 */
public final class Ownership {
  /** This owner's term is over. Its work in flight has no effect, and it starts nothing more. */
  public static final class FenceLostException extends EndedException {
    private static final long serialVersionUID = 1L;

    public FenceLostException(int partition) {
      super("partition " + partition + " has another owner");
    }
  }

  /** A waiting caller. Two that wait for the same offset are two, by their promises. */
  private record Waiter(long offset, boolean hurried, Promise<Void> promise) {}

  private final Runnable onLost;
  private final KnownFences known;
  private final Fence takenOver;
  private final Set<Waiter> waiters = new LinkedHashSet<>();
  private Fence fence;
  private long settledMs = Long.MAX_VALUE;
  private boolean wentBack;
  private boolean rebuilt;
  private boolean lost;

  /**
   * @param fence as it was taken over
   * @param onLost called once, when another owner has the fence
   */
  public Ownership(Fence fence, KnownFences known, Runnable onLost) {
    this.takenOver = fence;
    this.fence = fence;
    this.known = known;
    this.wentBack = known.takenOver(fence);
    this.onLost = onLost;
  }

  public Fence fence() {
    return fence;
  }

  public int partition() {
    return fence.partition();
  }

  /** Whether its owner also does what belongs to no partition. */
  public boolean isFirst() {
    return isFirst(partition());
  }

  /** The same of a partition. */
  public static boolean isFirst(int partition) {
    return partition == 0;
  }

  /** Adds the partition to a log event. */
  public LoggingEventBuilder about(LoggingEventBuilder event) {
    return event.addKeyValue("partition", partition());
  }

  public long term() {
    return fence.term();
  }

  /** The range of the log that was booked in this term. */
  public Stretch booked() {
    return new Stretch(takenOver.nextOffset(), fence.nextOffset());
  }

  /**
   * At this time of the ledger's clock no grant of an earlier epoch than the ledger's could be made
   * any more. It is set at the take-over, and after the wait of each rebuild.
   */
  public void settled(long ledgerMs) {
    settledMs = settledMs == Long.MAX_VALUE ? ledgerMs : Math.max(settledMs, ledgerMs);
  }

  /** The last time of {@link #settled}; {@link Long#MAX_VALUE} if none is known. */
  public long settledMs() {
    return settledMs;
  }

  /**
   * Whether the ledger was restored to an earlier state before this term began, so that Redis may
   * have state that the ledger does not know.
   */
  public boolean wentBack() {
    return wentBack;
  }

  /**
   * Redis has recorded that an earlier term had booked beyond the offset at which this term began.
   */
  public void wentBackFrom(long bookedBefore) {
    if (!wentBack && !rebuilt) {
      wentBack = true;
      known.suspect(partition());
      KnownFences.alarm(takenOver, bookedBefore);
    }
  }

  /** All buckets are rebuilt: Redis has no state any more that the ledger does not know. */
  public void allRebuilt() {
    rebuilt = true;
    wentBack = false;
    known.rebuilt(partition());
  }

  /** Redis has seen a higher term, which the ledger does not know, so Redis rejects this term. */
  public FenceLostException outranked(long termInRedis) {
    known.seenInRedis(partition(), termInRedis);
    return lose();
  }

  public boolean isLost() {
    return lost;
  }

  /** Runs this unless another owner has the fence. */
  public <T> Future<T> ifHeld(Supplier<Future<T>> work) {
    return lost ? Future.failedFuture(new FenceLostException(partition())) : work.get();
  }

  /**
   * Ends the ownership, and fails, if a transaction has found the fence of another owner.
   *
   * @param mine whether it has found this one
   */
  public Future<Void> expectHeld(boolean mine) {
    return mine ? Future.succeededFuture() : Future.failedFuture(lose());
  }

  /** The same of a transaction that returns nothing then. */
  public <T> Future<T> expectHeld(Optional<T> result) {
    return expectHeld(result.isPresent()).map(held -> result.orElseThrow());
  }

  /**
   * Whether a bucket has ended, or left this partition with its SKU's next sale: Redis has nothing
   * of it here, or is to have nothing.
   */
  public boolean isGone(BucketRow row) {
    return row.state().isEnded() || isElsewhere(row);
  }

  /** Whether a bucket is in another partition. */
  public boolean isElsewhere(BucketRow row) {
    return row.partition() != partition();
  }

  /** The log is booked up to this offset. */
  void advanced(long nextOffset) {
    fence = new Fence(fence.partition(), fence.term(), nextOffset);
    if (!lost) {
      known.note(fence);
    }
    List<Waiter> passed = waiters.stream().filter(waiter -> waiter.offset <= nextOffset).toList();
    passed.forEach(waiters::remove);
    passed.forEach(waiter -> waiter.promise.complete());
  }

  /**
   * Completes when the log is booked up to this offset, for callers that cannot wait while booking
   * pauses; fails when the ownership ends before.
   */
  public Future<Void> bookedSoon(long offset) {
    return wait(offset, true).promise.future();
  }

  /**
   * Whether the log is booked up to this offset before the pause ends. A wait that exceeds it is
   * abandoned and leaves nothing behind, however long the log is blocked. Fails when the ownership
   * ends before.
   *
   * @param pause starts the pause; only called if the log is not booked up to the offset yet
   */
  public Future<Boolean> bookedUpTo(long offset, Supplier<Future<Void>> pause) {
    return untilGivenUp(wait(offset, false), pause);
  }

  /**
   * Like {@link #bookedUpTo(long, Supplier)}, for callers that cannot wait while booking pauses.
   */
  public Future<Boolean> bookedSoon(long offset, Supplier<Future<Void>> pause) {
    return untilGivenUp(wait(offset, true), pause);
  }

  /** Whether a caller waits that cannot wait while booking pauses. */
  public boolean isHurried() {
    return waiters.stream().anyMatch(waiter -> waiter.hurried);
  }

  private Waiter wait(long offset, boolean hurried) {
    Waiter waiter = new Waiter(offset, hurried, Promise.promise());
    if (lost) {
      waiter.promise.fail(new FenceLostException(partition()));
    } else if (fence.nextOffset() >= offset) {
      waiter.promise.complete();
    } else {
      waiters.add(waiter);
    }
    return waiter;
  }

  private Future<Boolean> untilGivenUp(Waiter waiter, Supplier<Future<Void>> pause) {
    Future<Boolean> booked = waiter.promise.future().map(true);
    if (booked.isComplete()) {
      return booked;
    }
    Promise<Boolean> outcome = Promise.promise();
    booked.onComplete(outcome);
    pause
        .get()
        .onComplete(
            over -> {
              if (waiters.remove(waiter)) {
                outcome.complete(false);
              }
            });
    return outcome.future();
  }

  /** Another owner has the fence. Idempotent. */
  public FenceLostException lose() {
    boolean first = !lost;
    FenceLostException cause = end();
    if (first) {
      onLost.run();
    }
    return cause;
  }

  /** Ends the ownership without notifying the host. Idempotent. */
  public FenceLostException end() {
    lost = true;
    FenceLostException cause = new FenceLostException(partition());
    List<Waiter> left = List.copyOf(waiters);
    waiters.clear();
    left.forEach(waiter -> waiter.promise.fail(cause));
    return cause;
  }
}
