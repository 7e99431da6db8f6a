package io.sluice.async;

import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import org.jspecify.annotations.Nullable;

/** A caller that waits for an answer; answered on its own context, from any thread. */
public record Asker<T>(Promise<T> promise, @Nullable Context home) {
  /** The caller on this context. */
  public static <T> Asker<T> here() {
    return new Asker<>(Promise.promise(), Vertx.currentContext());
  }

  /** Completes once the caller is told. */
  public Future<T> answer() {
    return promise.future();
  }

  /** Tells the caller, once. */
  public void tell(AsyncResult<T> answered) {
    if (home == null || home == Vertx.currentContext()) {
      promise.handle(answered);
    } else {
      home.runOnContext(now -> promise.handle(answered));
    }
  }
}
