package io.sluice.stock.redis;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.sluice.async.Batcher;
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
 * The calls of one script over one connection: one EVALSHA at a time, and what comes while it is
 * under way goes out together in the next, whatever bucket it is for. A call of Redis costs some 30
 * us before it does anything; thousands of SKUs that sell one unit each share that. An idle lane
 * waits for nobody.
 *
 * <p>Each call has its answer within the limit, or has failed: its outcome is unknown then, unless
 * half the limit had passed before its turn came; such a call is not sent. An error of one call is
 * not that of those beside it.
 */
final class LuaBatcher {
  /** Some milliseconds of Redis' time, in which it serves nobody else. */
  static final int CALLS_MAX = 128;

  /** As much as 512 requests weigh; a single call may weigh more. */
  static final int WEIGHT_MAX = 1_536;

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
          new Batcher.Limits(1, CALLS_MAX, WEIGHT_MAX),
          waiting -> waiting.call().weight(),
          this::sendInTime,
          () -> {});

  /**
   * Makes the lane of a script.
   *
   * @param send one EVALSHA
   * @param timeoutMs after which a call has failed; whether it had its effect is unknown then
   * @param answers what calls are answered with, each a new one
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

  /** What has little time left would only fail those that go with it. */
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
    return sent(batch)
        .map(replies -> checked(replies, batch.size()))
        .timeout(leftMs, MILLISECONDS)
        .recover(failure -> Future.failedFuture(withTheWholeLimit(failure)))
        .onComplete(
            (replies, failure) -> {
              for (int i = 0; i < batch.size(); i++) {
                answer(batch.get(i), failure == null ? replies.get(i) : null, failure);
              }
            });
  }

  /** An operator knows the limit, not what was left of it. */
  private Throwable withTheWholeLimit(Throwable failure) {
    return failure instanceof TimeoutException
        ? new TimeoutException("Timeout " + timeoutMs + " (ms) fired")
        : failure;
  }

  /** Its context is the connection's, on which the time-out is told as well. */
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

  /** What a caller does with its answer does not reach the others. */
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
      log.atError().setCause(thrown).log("A caller of Redis failed");
    }
  }
}
