package io.sluice.stock;

import io.vertx.core.Future;
import java.lang.reflect.Proxy;

/** If there is no Redis: every call fails at once. */
public final class NoStock implements StockConnection {
  private static final String NONE = "Expected Redis, but this service has none";

  private static final StockStore NOTHING =
      (StockStore)
          Proxy.newProxyInstance(
              StockStore.class.getClassLoader(),
              new Class<?>[] {StockStore.class},
              (proxy, method, arguments) ->
                  Future.failedFuture(new StockUnavailableException(NONE, null)));

  @Override
  public StockStore at(int partition) {
    return NOTHING;
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
    return Future.failedFuture(new StockUnavailableException(NONE, null));
  }

  @Override
  public boolean isUp() {
    return false;
  }
}
