package io.sluice.owner;

import io.vertx.core.Future;
import java.util.function.Supplier;

/**
 * Lets one asynchronous piece of work begin only when the one before it has ended, in order of
 * asking.
 */
final class Turns {
  private Future<?> last = Future.succeededFuture();

  <T> Future<T> take(Supplier<Future<T>> work) {
    Future<T> mine = last.transform(before -> work.get());
    last = mine;
    return mine;
  }
}
