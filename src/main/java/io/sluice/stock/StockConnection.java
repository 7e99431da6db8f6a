package io.sluice.stock;

import io.vertx.core.Future;

/**
 * A connection of its own to the stock. Called on the context that started it, except {@link
 * #isUp}.
 */
public interface StockConnection extends Stock {
  /**
   * Connects to Redis and checks its settings. Where the first attempt fails, the Future fails with
   * the reason; attempts continue until {@link #close}.
   */
  Future<Void> start();

  Future<Void> close();

  /**
   * The memory of the store.
   *
   * @param maxBytes its limit; 0 where it has none
   */
  record Memory(long usedBytes, long maxBytes) {}

  /** Its memory now. */
  Future<Memory> memory();

  /** Whether Redis can be called now; from any thread. */
  boolean isUp();
}
