package io.sluice.owner.fencing;

import io.sluice.ledger.Fence;
import io.sluice.stock.StockStore.Stretch;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * What an owner knows about its ownership: the fence as last written, and who waits for the log to
 * be booked so far.
 */
public final class Ownership {
  /** Somebody who waits; two that wait for the same offset are two. */
  private static final class Waiter {
    private final long offset;
    private final boolean hurried;
    private final Promise<Void> promise = Promise.promise();

    Waiter(long offset, boolean hurried) {
      this.offset = offset;
      this.hurried = hurried;
    }
  }

  private final Runnable onLost;
  private final KnownFences known;
  private final Fence takenOver;
  private final Set<Waiter> waiters = new LinkedHashSet<>();
  private Fence fence;
  private boolean wentBack;
  private boolean rebuilt;
  private boolean lost;

  /**
   * Expects the fence as it was taken over; {@code onLost} is called once, where another has it.
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

  /** Adds to what is logged which partition it is about. */
  public LoggingEventBuilder about(LoggingEventBuilder event) {
    return event.addKeyValue("partition", partition());
  }

  public long term() {
    return fence.term();
  }

  /** What of the log is booked in this term. */
  public Stretch booked() {
    return new Stretch(takenOver.nextOffset(), fence.nextOffset());
  }

  /**
   * Whether the ledger was put back to an earlier state before this term began: Redis may hold what
   * it does not know.
   */
  public boolean wentBack() {
    return wentBack;
  }

  /** Redis was told that an earlier term had booked more than there was when this one began. */
  public void wentBackFrom(long bookedBefore) {
    if (!wentBack && !rebuilt) {
      wentBack = true;
      known.suspect(partition());
      KnownFences.alarm(takenOver, bookedBefore);
    }
  }

  /** Redis holds nothing any more that the ledger does not know. */
  public void allRebuilt() {
    rebuilt = true;
    wentBack = false;
    known.rebuilt(partition());
  }

  /** Redis has seen a higher term, which the ledger does not know: this one is of no use there. */
  public FenceLostException outranked(long termInRedis) {
    known.seenInRedis(partition(), termInRedis);
    return lose();
  }

  public boolean isLost() {
    return lost;
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

  /** Completes when the log is booked up to this offset; fails when the ownership ends before. */
  public Future<Void> bookedUpTo(long offset) {
    return wait(offset, false).promise.future();
  }

  /** The same for who cannot wait for as long as booking may rest. */
  public Future<Void> bookedSoon(long offset) {
    return wait(offset, true).promise.future();
  }

  /**
   * Whether the log is booked up to this offset before the pause ends. A wait that outlasts it is
   * given up and leaves nothing behind, however long the log stands still. Fails when the ownership
   * ends before.
   *
   * @param pause begins one; asked only where the log is not booked so far yet
   */
  public Future<Boolean> bookedUpTo(long offset, Supplier<Future<Void>> pause) {
    return untilGivenUp(wait(offset, false), pause);
  }

  /** The same for who cannot wait for as long as booking may rest. */
  public Future<Boolean> bookedSoon(long offset, Supplier<Future<Void>> pause) {
    return untilGivenUp(wait(offset, true), pause);
  }

  /** Whether somebody waits who cannot wait for as long as booking may rest. */
  public boolean isHurried() {
    return waiters.stream().anyMatch(waiter -> waiter.hurried);
  }

  /** How many wait now. */
  int waiting() {
    return waiters.size();
  }

  private Waiter wait(long offset, boolean hurried) {
    Waiter waiter = new Waiter(offset, hurried);
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

  /** The fence is another's. Idempotent. */
  public FenceLostException lose() {
    boolean first = !lost;
    FenceLostException cause = end();
    if (first) {
      onLost.run();
    }
    return cause;
  }

  /** The ownership is given up, by the owner's own will. Idempotent. */
  public FenceLostException end() {
    lost = true;
    FenceLostException cause = new FenceLostException(partition());
    List<Waiter> left = List.copyOf(waiters);
    waiters.clear();
    left.forEach(waiter -> waiter.promise.fail(cause));
    return cause;
  }
}
