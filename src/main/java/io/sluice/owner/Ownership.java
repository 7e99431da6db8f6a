package io.sluice.owner;

import io.sluice.ledger.Fence;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;

/**
 * What an owner knows about its ownership: the fence as last written, and who waits for the log to
 * be booked so far.
 */
final class Ownership {
  private record Waiter(long offset, Promise<Void> promise, boolean hurried) {}

  private final Runnable onLost;
  private final List<Waiter> waiters = new ArrayList<>();
  private Fence fence;
  private boolean lost;

  /**
   * Expects the fence as it was taken over; {@code onLost} is called once, where another has it.
   */
  Ownership(Fence fence, Runnable onLost) {
    this.fence = fence;
    this.onLost = onLost;
  }

  Fence fence() {
    return fence;
  }

  int partition() {
    return fence.partition();
  }

  long term() {
    return fence.term();
  }

  boolean isLost() {
    return lost;
  }

  /** The log is booked up to this offset. */
  void advanced(long nextOffset) {
    fence = new Fence(fence.partition(), fence.term(), nextOffset);
    List<Waiter> passed = waiters.stream().filter(waiter -> waiter.offset() <= nextOffset).toList();
    waiters.removeAll(passed);
    passed.forEach(waiter -> waiter.promise().complete());
  }

  /** Completes when the log is booked up to this offset; fails when the ownership ends before. */
  Future<Void> bookedUpTo(long offset) {
    return bookedUpTo(offset, false);
  }

  /** The same for who cannot wait for as long as booking may rest. */
  Future<Void> bookedSoon(long offset) {
    return bookedUpTo(offset, true);
  }

  /** Whether somebody waits who cannot wait for as long as booking may rest. */
  boolean isHurried() {
    return waiters.stream().anyMatch(Waiter::hurried);
  }

  private Future<Void> bookedUpTo(long offset, boolean hurried) {
    if (lost) {
      return Future.failedFuture(new FenceLostException(partition()));
    }
    if (fence.nextOffset() >= offset) {
      return Future.succeededFuture();
    }
    Promise<Void> promise = Promise.promise();
    waiters.add(new Waiter(offset, promise, hurried));
    return promise.future();
  }

  /** The fence is another's. Idempotent. */
  FenceLostException lose() {
    boolean first = !lost;
    FenceLostException cause = end();
    if (first) {
      onLost.run();
    }
    return cause;
  }

  /** The ownership is given up, by the owner's own will. Idempotent. */
  FenceLostException end() {
    lost = true;
    FenceLostException cause = new FenceLostException(partition());
    List<Waiter> left = List.copyOf(waiters);
    waiters.clear();
    left.forEach(waiter -> waiter.promise().fail(cause));
    return cause;
  }
}
