package io.sluice.order;

import io.sluice.async.BatchReader.QueueFullException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/**
 * Limits how many calls are in flight. Up to {@code waitingMax} further calls wait, the rest are
 * refused.
 */
final class Slots {
  private record Waiting(Supplier<Future<?>> call, Promise<Object> answer) {}

  private final int callsMax;
  private final int waitingMax;
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private int underWay;

  /**
   * Whether {@link #callNext} is on the stack. It loops, since calls may be answered synchronously.
   */
  private boolean goingOn;

  Slots(int callsMax, int waitingMax) {
    this.callsMax = callsMax;
    this.waitingMax = waitingMax;
  }

  /** Whether this many more calls could run or wait. */
  boolean hasRoomFor(int calls) {
    return waiting.size() + underWay + calls <= callsMax + waitingMax;
  }

  /** The outcome of this call, after those before it. */
  @SuppressWarnings("unchecked")
  <T> Future<T> run(Supplier<Future<T>> call) {
    if (!hasRoomFor(1)) {
      return Future.failedFuture(new QueueFullException(waitingMax));
    }
    Promise<Object> answer = Promise.promise();
    waiting.add(new Waiting(call::get, answer));
    callNext();
    return answer.future().map(value -> (T) value);
  }

  private void callNext() {
    if (goingOn) {
      return;
    }
    goingOn = true;
    while (underWay < callsMax && !waiting.isEmpty()) {
      begin(waiting.remove());
    }
    goingOn = false;
  }

  private void begin(Waiting next) {
    underWay++;
    Future.succeededFuture()
        .compose(turn -> next.call().get())
        .onComplete(
            done -> {
              underWay--;
              if (done.succeeded()) {
                next.answer().complete(done.result());
              } else {
                next.answer().fail(done.cause());
              }
              callNext();
            });
  }
}
