package io.sluice.stock;

import io.vertx.core.Future;

/**
 * A store with a connection of its own. Called on the context that started it, except {@link
 * #isUp}.
 */
public interface StockConnection extends StockStore {
  /**
   * Connects to Redis and checks its settings. Where the first attempt fails, the Future fails with
   * the reason; attempts continue until {@link #close}.
   */
  Future<Void> start();

  Future<Void> close();

  /** Whether Redis can be called now; from any thread. */
  boolean isUp();
}
