package io.sluice.orderlog.kafka;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** An event loop context for tests: the public methods of this package must be called on one. */
public final class OneContext {
  private static final int TIMEOUT_S = 30;

  private final Context context;

  public OneContext(Vertx vertx) {
    // A new context, whichever thread asks.
    CompletableFuture<Context> made = new CompletableFuture<>();
    vertx.deployVerticle(
        self -> {
          made.complete(self);
          return Future.succeededFuture();
        });
    this.context = made.join();
  }

  /** Makes this call on the context and waits for its outcome; a failure is rethrown unchanged. */
  public <T> T await(Supplier<Future<T>> call) {
    try {
      return start(call).get(TIMEOUT_S, TimeUnit.SECONDS);
    } catch (ExecutionException failure) {
      if (failure.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new AssertionError(failure.getCause());
    } catch (TimeoutException | InterruptedException failure) {
      throw new AssertionError(failure);
    }
  }

  /** Makes this call on the context; fails if it completes on another one. */
  <T> CompletableFuture<T> start(Supplier<Future<T>> call) {
    CompletableFuture<T> outcome = new CompletableFuture<>();
    context.runOnContext(
        now ->
            call.get()
                .onComplete(
                    (value, failure) -> {
                      if (Vertx.currentContext() != context) {
                        outcome.completeExceptionally(
                            new AssertionError("completed on " + Thread.currentThread().getName()));
                      } else if (failure != null) {
                        outcome.completeExceptionally(failure);
                      } else {
                        outcome.complete(value);
                      }
                    }));
    return outcome;
  }

  /** Runs this on the context and waits until it is done. */
  void run(Runnable action) {
    await(
        () -> {
          action.run();
          return Future.succeededFuture();
        });
  }
}
