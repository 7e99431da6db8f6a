package io.sluice.explore.store;

import io.sluice.explore.actor.Node;
import io.sluice.explore.run.Chance;
import io.sluice.stock.InMemoryStock;
import io.sluice.stock.StockUnavailableException;
import io.vertx.core.Future;
import java.lang.reflect.Method;
import java.util.SplittableRandom;

/**
 * A former primary that its replicas have left. Some nodes still reach it alone, each until it
 * gives it up in its own time. It takes writes until it misses its replicas, and answers reads
 * after that, too.
 *
 * @param stock what it has
 * @param process its number among the processes
 * @param sinceUs when its replica was promoted
 * @param lagMs how long it does without its replicas
 */
record CutOff(InMemoryStock stock, int process, long sinceUs, int lagMs, Chance chance) {
  private static final long GIVEN_UP_MAX_US = 10_000_000;

  /** Replicas are counted once a second. */
  private static final long COUNTED_AFTER_MAX_US = 1_500_000;

  boolean mayBeReached(long nowUs) {
    return nowUs < sinceUs + GIVEN_UP_MAX_US;
  }

  boolean isReachedBy(Node node, long nowUs) {
    SplittableRandom draws = chance.of(node.name(), "cut off", process);
    return draws.nextBoolean() && nowUs < sinceUs + draws.nextLong(GIVEN_UP_MAX_US);
  }

  Future<?> call(Method method, Object[] arguments, long nowUs) {
    if (Op.of(method).isRead() || nowUs < stopsUs()) {
      return Intercept.invoke(stock, method, arguments);
    }
    return Future.failedFuture(
        new StockUnavailableException("NOREPLICAS Not enough replicas", null));
  }

  private long stopsUs() {
    return sinceUs
        + 1_000L * lagMs
        + chance.of("replicas counted", process).nextLong(COUNTED_AFTER_MAX_US);
  }
}
