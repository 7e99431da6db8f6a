package io.sluice.stock.redis;

import static io.sluice.contract.StockUnderTest.await;

import io.sluice.stock.StockStore;
import io.sluice.testkit.Ports;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.function.Supplier;

/** Makes calls on an event loop context for a test's thread. */
final class OnContext {
  private final Context context;

  OnContext(Context context) {
    this.context = context;
  }

  <T> Future<T> call(Supplier<Future<T>> action) {
    Promise<T> answered = Promise.promise();
    context.runOnContext(
        v -> {
          try {
            action.get().onComplete(answered);
          } catch (RuntimeException | Error e) {
            answered.fail(e);
          }
        });
    return answered.future();
  }

  /** The cause with which it fails, or null. */
  Throwable failureOf(Supplier<? extends Future<?>> action) {
    return await(call(() -> RedisUnderTest.causeOf(action.get())));
  }

  /** The same store, with each call made on the context. */
  StockStore wrap(StockStore store) {
    return Ports.answering(
        StockStore.class,
        (proxy, method, arguments) -> call(() -> invoke(store, method, arguments)));
  }

  @SuppressWarnings("unchecked") // every method of the port returns a Future
  private static Future<Object> invoke(
      StockStore store, java.lang.reflect.Method method, Object[] arguments) {
    try {
      return (Future<Object>) method.invoke(store, arguments);
    } catch (ReflectiveOperationException e) {
      return Future.failedFuture(e.getCause() == null ? e : e.getCause());
    }
  }
}
