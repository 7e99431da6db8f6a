package io.sluice.stock;

import io.vertx.core.Future;

/** A store with a connection of its own. Called on the context that started it, but for isUp. */
public interface StockConnection extends StockStore {
  /**
   * Connects to Redis and checks its settings. Where the first attempt fails, so does the Future,
   * with the reason; the attempts go on until {@link #close}.
   */
  Future<Void> start();

  Future<Void> close();

  /** Whether Redis can be asked now; from any thread. */
  boolean isUp();
}
