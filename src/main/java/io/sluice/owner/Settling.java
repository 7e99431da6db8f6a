package io.sluice.owner;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether an instance that has just started may report ready: the group has assigned every
 * partition, and the owners of those assigned to this instance have taken over. Before that,
 * operations that need an owner (a new SKU, a restock) would have to wait.
 *
 * <p>Once true, it stays true: a later rebalance or an unavailable ledger stops no grant. The wait
 * is bounded, since grants need no owner: a group that keeps rebalancing must not prevent an
 * instance from selling.
 */
final class Settling {
  static final Duration LOOK_EVERY = Duration.ofMillis(100);

  /** Longer than the group takes to notice a dead member and to assign its partitions. */
  static final Duration WAIT_MAX = Duration.ofSeconds(30);

  private static final Logger log = LoggerFactory.getLogger(Settling.class);

  private final Supplier<Future<Optional<Set<Integer>>>> share;
  private final Predicate<Set<Integer>> haveOwners;
  private final LongSupplier nanoTime;
  private final long startNanos;
  private boolean looking;
  private volatile boolean settled;

  /**
   * Starts the clock of {@link #WAIT_MAX}.
   *
   * @param share the partitions that the group assigns to this instance; empty during a rebalance
   * @param haveOwners whether the owners of all these have taken over
   */
  Settling(
      Supplier<Future<Optional<Set<Integer>>>> share,
      Predicate<Set<Integer>> haveOwners,
      LongSupplier nanoTime) {
    this.share = share;
    this.haveOwners = haveOwners;
    this.nanoTime = nanoTime;
    this.startNanos = nanoTime.getAsLong();
  }

  /** From any thread; once true, always true. */
  boolean isSettled() {
    return settled;
  }

  /** Called by a timer, on one context. Asks the group, one question at a time. */
  void look() {
    if (settled) {
      return;
    }
    if (nanoTime.getAsLong() - startNanos >= WAIT_MAX.toNanos()) {
      log.atWarn()
          .addKeyValue("waitedS", WAIT_MAX.toSeconds())
          .log("some partitions have no owner yet; this instance is ready without them");
      settled = true;
    } else if (!looking) {
      looking = true;
      share
          .get()
          .onComplete(
              (given, unknown) -> {
                looking = false;
                settled |= unknown == null && given.filter(haveOwners).isPresent();
              });
    }
  }
}
