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
 * Whether an instance that has just started may be called ready: the group has given every
 * partition to somebody, and the owners of those that it gave to this instance have taken over.
 * Until then what needs an owner (a new SKU, a restock) would wait for one.
 *
 * <p>It is said once and stands: a rebalance later on, or a ledger that is away, stops no grant.
 * Nor is it waited for without end, since grants need no owner: a group that never comes to rest
 * must not keep an instance from selling.
 */
final class Settling {
  static final Duration LOOK_EVERY = Duration.ofMillis(100);

  /** Longer than the group needs to miss a dead member, and to share its partitions out. */
  static final Duration WAIT_MAX = Duration.ofSeconds(30);

  private static final Logger log = LoggerFactory.getLogger(Settling.class);

  private final Supplier<Future<Optional<Set<Integer>>>> share;
  private final Predicate<Set<Integer>> haveOwners;
  private final LongSupplier nanoTime;
  private final long startNanos;
  private boolean looking;
  private volatile boolean settled;

  /**
   * Begins to count the time.
   *
   * @param share what the group gives to this instance, once it is at rest; empty before
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

  /** From any thread; never false again once it was true. */
  boolean isSettled() {
    return settled;
  }

  /** A timer's call, on one context. Asks the group, one question at a time. */
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
