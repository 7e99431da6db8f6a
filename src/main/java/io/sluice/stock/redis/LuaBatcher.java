package io.sluice.stock.redis;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.sluice.async.Batcher;
import io.sluice.async.TimeLimit;
import io.sluice.stock.StockUnavailableException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The calls of one script over one connection, with one EVALSHA in flight, or two if they are full.
 * Calls that arrive meanwhile are sent together in the next, for any buckets. A call to Redis costs
 * about 30 us before it does anything; thousands of SKUs that sell one unit each share that cost.
 * An idle batcher delays nothing.
 *
 * <p>Each call is answered within the limit, or fails with an unknown outcome. A call that has
 * waited for more than half the limit is not sent, and fails. An error of one call does not affect
 * the others.
 */
final class LuaBatcher {
  /**
   * Limits the time of one EVALSHA, during which Redis serves nothing else, to some milliseconds.
   */
  static final int CALLS_MAX = 128;

  /** The weight of 512 requests; a single call may weigh more. */
  static final int WEIGHT_MAX = 1_536;

  /** Redis starts the next full one while the reply to the one before is still to be read. */
  static final int FULL_MAX = 2;

  private static final Logger log = LoggerFactory.getLogger(LuaBatcher.class);

  private static final StockUnavailableException LATE =
      new StockUnavailableException("Timeout before it was sent", null);

  private record Waiting(LuaCall call, Promise<Response> answer, long sinceNanos) {}

  private final Function<List<LuaCall>, Future<Response>> send;
  private final int timeoutMs;
  private final Supplier<Promise<Response>> answers;
  private final LongSupplier nanoTime;
  private final Batcher<Waiting> calls =
      new Batcher<>(
          new Batcher.Limits(1, CALLS_MAX, WEIGHT_MAX, FULL_MAX),
          waiting -> waiting.call().weight(),
          this::sendInTime,
          () -> {});

  /**
   * @param send sends one EVALSHA
   * @param timeoutMs after which a call fails; whether it had its effect is unknown then
   * @param answers creates the promise of each call
   * @param nanoTime a monotonic clock
   */
  LuaBatcher(
      Function<List<LuaCall>, Future<Response>> send,
      int timeoutMs,
      Supplier<Promise<Response>> answers,
      LongSupplier nanoTime) {
    this.send = send;
    this.timeoutMs = timeoutMs;
    this.answers = answers;
    this.nanoTime = nanoTime;
  }

  Future<Response> add(LuaCall call) {
    Promise<Response> answer = answers.get();
    calls.add(new Waiting(call, answer, nanoTime.getAsLong()));
    return answer.future();
  }

  /** A call with little time left would shorten the time of the whole batch. */
  private Future<?> sendInTime(List<Waiting> batch) {
    List<Waiting> inTime = new ArrayList<>(batch.size());
    for (Waiting waiting : batch) {
      if (2 * ageMs(waiting) > timeoutMs) {
        answer(waiting, null, LATE);
      } else {
        inTime.add(waiting);
      }
    }
    return inTime.isEmpty() ? Future.succeededFuture() : send(inTime);
  }

  private Future<?> send(List<Waiting> batch) {
    long leftMs = Math.max(1, timeoutMs - ageMs(batch.get(0)));
    return TimeLimit.of(leftMs, sent(batch).map(replies -> checked(replies, batch.size())))
        .recover(failure -> Future.failedFuture(withConfiguredLimit(failure)))
        .onComplete(
            (replies, failure) -> {
              for (int i = 0; i < batch.size(); i++) {
                answer(batch.get(i), failure == null ? replies.get(i) : null, failure);
              }
            });
  }

  /** Reports the configured limit instead of the time that was left of it. */
  private Throwable withConfiguredLimit(Throwable failure) {
    return failure instanceof TimeoutException
        ? new TimeoutException("Timeout " + timeoutMs + " (ms) fired")
        : failure;
  }

  private Future<Response> sent(List<Waiting> batch) {
    try {
      return send.apply(batch.stream().map(Waiting::call).toList());
    } catch (RuntimeException thrown) {
      return Future.failedFuture(thrown);
    }
  }

  private long ageMs(Waiting call) {
    return NANOSECONDS.toMillis(nanoTime.getAsLong() - call.sinceNanos());
  }

  private static Response checked(Response replies, int expected) {
    if (replies.size() != expected) {
      throw new StockUnavailableException(
          "Expected " + expected + " replies, but got " + replies.size(), null);
    }
    return replies;
  }

  /** An exception in a caller's handler must not affect the other calls. */
  private static void answer(Waiting call, @Nullable Response reply, @Nullable Throwable failure) {
    try {
      if (reply == null) {
        call.answer().fail(failure);
      } else if (reply instanceof Throwable error) {
        call.answer().fail(error);
      } else {
        call.answer().complete(reply);
      }
    } catch (Throwable thrown) {
      log.atError().setCause(thrown).log("handler of a Redis reply failed");
    }
  }
}
