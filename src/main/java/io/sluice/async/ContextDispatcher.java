package io.sluice.async;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.function.Supplier;

/**
 * Runs tasks on the context that owns an object's state. Calls from that context run at once; calls
 * from others are dispatched to it, and their results return to the caller's context.
 */
public final class ContextDispatcher {
  private final Vertx vertx;
  private final Context context;

  private ContextDispatcher(Vertx vertx, Context context) {
    this.vertx = vertx;
    this.context = context;
  }

  /** A dispatcher to the current context. */
  public static ContextDispatcher here(Vertx vertx) {
    return new ContextDispatcher(vertx, vertx.getOrCreateContext());
  }

  /** Runs work on a context, and completes there; work that throws has failed. */
  public static <T> Future<T> on(Context context, Supplier<Future<T>> work) {
    return Future.future(
        ended ->
            context.runOnContext(
                now -> Future.succeededFuture().compose(begun -> work.get()).onComplete(ended)));
  }

  public void run(Runnable action) {
    if (Vertx.currentContext() == context) {
      action.run();
    } else {
      context.runOnContext(now -> action.run());
    }
  }

  public <T> Future<T> call(Supplier<Future<T>> action) {
    Context caller = vertx.getOrCreateContext();
    if (caller == context) {
      return action.get();
    }
    Promise<T> answer = Promise.promise();
    context.runOnContext(
        now ->
            action
                .get()
                .onComplete(
                    (value, failure) ->
                        caller.runOnContext(back -> answer.complete(value, failure))));
    return answer.future();
  }
}
