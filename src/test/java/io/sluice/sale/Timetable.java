package io.sluice.sale;

import io.sluice.testkit.site.Answer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/** Requests that are sent at given times. */
final class Timetable implements AutoCloseable {
  private final Vertx clock = Vertx.vertx();

  /** Sends a request at this time, or at once where it has passed. */
  Future<Answer> at(Instant time, Supplier<Future<Answer>> request) {
    Promise<Answer> answer = Promise.promise();
    long delayMs = Math.max(1, Duration.between(Instant.now(), time).toMillis());
    clock.setTimer(delayMs, id -> request.get().onComplete(answer));
    return answer.future();
  }

  @Override
  public void close() {
    clock.close();
  }
}
