package io.sluice.stock.redis;

import io.sluice.stock.StockConnection;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockUnavailableException;
import io.vertx.core.Future;
import java.util.concurrent.atomic.AtomicLong;

/** If there is no Redis: every call fails at once. */
public final class NoStock implements StockConnection {
  private final StockStore nothing = new RedisStockStore(() -> null, new AtomicLong(), 0);

  @Override
  public StockStore at(int partition) {
    return nothing;
  }

  @Override
  public Future<Void> start() {
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> close() {
    return Future.succeededFuture();
  }

  @Override
  public Future<Memory> memory() {
    return Future.failedFuture(
        new StockUnavailableException("Expected Redis, but this service has none", null));
  }

  @Override
  public boolean isUp() {
    return false;
  }
}
