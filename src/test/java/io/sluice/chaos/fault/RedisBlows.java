package io.sluice.chaos.fault;

import io.sluice.testkit.redis.RedisBackend;
import io.sluice.testkit.redis.RedisTrio;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;

/** Faults of Redis: killed, paused, put back to an older state, demoted, or replaced. */
record RedisBlows(RedisTrio trio, IntConsumer leadToPrimary) {
  /**
   * Less than the lag at which a primary stops taking writes: its replica misses what it grants
   * meanwhile.
   */
  private static final int BEHIND_MS = 1_200;

  private static final int NOBODY = -1;

  Blow of(Fault fault) {
    RedisBackend primary = trio.primary();
    return switch (fault.kind()) {
      case REDIS_KILLED -> Blow.of(primary::kill, primary::start);
      case REDIS_PAUSED -> Blow.of(primary::pause, primary::resume);
      case REDIS_EMPTIED ->
          Blow.of(
              primary::kill,
              () -> {
                primary.wipe();
                primary.start();
              });
      case REDIS_AGED -> aged(primary);
      case REDIS_DEMOTED ->
          Blow.of(
              () -> {
                trio.fallBehind();
                sleepBehind();
                trio.demote();
              },
              trio::promoteBack);
      case REDIS_KEY_DELETED -> RedisKeyBlows.deleted(primary, fault.number());
      case REDIS_ACL_NARROWED -> RedisKeyBlows.denied(primary, fault.number());
      case REDIS_CLOCK_STEPPED -> stepped(primary, fault.aim().instance() == 0);
      case REDIS_REPLACED -> replaced(fault.aim().instance());
      default -> throw new IllegalArgumentException("not a fault of Redis: " + fault);
    };
  }

  /** Restarts with the data that it had when the fault began. */
  private static Blow aged(RedisBackend primary) {
    var kept = new AtomicReference<Path>();
    return Blow.later(
        () -> kept.set(primary.saveAppendOnlyFile()),
        () -> {
          primary.kill();
          primary.restoreAppendOnlyFile(kept.get());
        },
        primary::start);
  }

  private static Blow stepped(RedisBackend primary, boolean forward) {
    Duration step = forward ? SteppedClock.STEP : SteppedClock.STEP.negated();
    return Blow.of(
        () -> SteppedClock.step(primary, step), () -> SteppedClock.step(primary, Duration.ZERO));
  }

  /**
   * The replica takes over for all but one instance, which keeps the old primary. That one is cut
   * off from its replica and takes writes for a while.
   */
  private Blow replaced(int leftBehind) {
    return Blow.of(
        () -> {
          trio.replace();
          leadToPrimary.accept(leftBehind);
        },
        () -> {
          leadToPrimary.accept(NOBODY);
          trio.retire();
        });
  }

  private static void sleepBehind() {
    try {
      TimeUnit.MILLISECONDS.sleep(BEHIND_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
