package io.sluice.stock;

import io.vertx.core.Future;
import java.util.List;

/**
 * A connection of its own to the stock. Called on the context that started it, except {@link
 * #isUp}.
 */
public interface StockConnection extends Stock {
  /**
   * Connects to Redis and checks its settings. If the first attempt fails, the Future fails with
   * the reason; attempts continue until {@link #close}.
   */
  Future<Void> start();

  /** The same for the owner of this partition, which asks for others if units move to them. */
  default Future<Void> startFor(int partition) {
    return start();
  }

  Future<Void> close();

  /**
   * The memory of the store.
   *
   * @param maxBytes its limit; 0 if it has none
   */
  record Memory(long usedBytes, long maxBytes) {}

  /** Its memory now. */
  Future<Memory> memory();

  /** Whether Redis can be called now, in a cluster one of its primaries; from any thread. */
  boolean isUp();

  /**
   * What cannot be called or written although it {@link #isUp}, or why it is not, in words for
   * anyone; empty: nothing. From any thread.
   */
  default String outage() {
    return "";
  }

  /** Fails if nothing answers. */
  default Future<?> answers() {
    return at(0).history();
  }

  /** The clocks of all processes that answer, epoch milliseconds; at least one. */
  default Future<List<Long>> clocks() {
    return at(0).nowMs().map(List::of);
  }
}
