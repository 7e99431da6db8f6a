package io.sluice.client;

import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import javax.net.ssl.SSLHandshakeException;

/**
 * Sends a request until an answer tells its outcome, or the deadline has passed. What is sent is
 * the same at each try.
 *
 * <p>A try leaves the outcome open if the request may have arrived, and no answer says what became
 * of it. From then on only an answer about the outcome is believed: a 401 of a later try does not
 * say that the first one did nothing.
 *
 * @param tryTimeout for one try, beside the time that the service is asked to wait
 */
record Retries(HttpClient http, Duration tryTimeout) {
  private static final int OK = 200;
  private static final int ACCEPTED = 202;
  private static final int REDIRECTION = 300;
  private static final int NOT_FOUND = 404;
  private static final int REQUEST_TIMEOUT = 408;
  private static final int CONFLICT = 409;
  private static final int TOO_EARLY = 425;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int SERVER_ERROR = 500;
  private static final int NOT_IMPLEMENTED = 501;
  private static final int VERSION_NOT_SUPPORTED = 505;

  private static final Duration BACKOFF_MIN = Duration.ofMillis(100);
  private static final Duration BACKOFF_MAX = Duration.ofSeconds(2);
  private static final int DOUBLINGS_MAX = 5;

  /** A service that says more is not asked again before. */
  private static final Duration RETRY_AFTER_MAX = Duration.ofDays(1);

  /**
   * What became of one try.
   *
   * @param status 0 if there was no answer that could be read
   * @param sent whether the request may have arrived
   */
  private record Attempt(
      int status, byte[] body, Duration retryAfter, boolean sent, @Nullable Throwable failure) {

    static Attempt failed(boolean sent, Throwable failure) {
      return new Attempt(0, new byte[0], Duration.ZERO, sent, failure);
    }

    boolean isDone() {
      return status >= OK && status < REDIRECTION && status != ACCEPTED;
    }

    boolean leavesOpen() {
      boolean unknown = status == 0 || status == ACCEPTED || status >= SERVER_ERROR;
      return sent && unknown && isRepeated(status);
    }

    /** Whether this answer is about the outcome of the tries before as well. */
    boolean tellsOutcome() {
      return status == CONFLICT || status == NOT_FOUND;
    }

    Optional<Problem> problem() {
      return status < REDIRECTION ? Optional.empty() : Optional.of(Problem.of(status, body));
    }
  }

  /** Whether the same request may have another answer later. 0 stands for no answer. */
  static boolean isRepeated(int status) {
    return switch (status) {
      case 0, ACCEPTED, REQUEST_TIMEOUT, TOO_EARLY, TOO_MANY_REQUESTS -> true;
      case NOT_IMPLEMENTED, VERSION_NOT_SUPPORTED -> false;
      default -> status >= SERVER_ERROR;
    };
  }

  /**
   * The answer, as the reader reads it.
   *
   * @throws SluiceException if there is none
   */
  <T> T ask(Request request, Deadline deadline, Function<JsonObject, T> reader) {
    boolean open = false;
    for (int tries = 1; ; tries++) {
      Attempt attempt = attempt(request, deadline);
      if (attempt.isDone()) {
        try {
          return reader.apply(JsonObject.parse(attempt.body()));
        } catch (JsonException e) {
          attempt = Attempt.failed(true, e);
        }
      }
      open |= request.changes() && attempt.leavesOpen();
      if (!isRepeated(attempt.status())) {
        throw open && !attempt.tellsOutcome()
            ? unknown(request, attempt)
            : refused(request, attempt, false);
      }
      if (!pause(tries, attempt.retryAfter(), deadline)) {
        throw open ? unknown(request, attempt) : nothingDone(request, attempt);
      }
    }
  }

  private static SluiceException unknown(Request request, Attempt last) {
    return new OutcomeUnknownException(
        request.key(), last.problem(), last.retryAfter(), last.failure());
  }

  private static SluiceException nothingDone(Request request, Attempt last) {
    return last.status() == 0
        ? new UnavailableException(request.key(), last.failure())
        : refused(request, last, true);
  }

  private static SluiceException refused(Request request, Attempt last, boolean retryable) {
    return new RefusedException(
        Problem.of(last.status(), last.body()), request.key(), retryable, last.retryAfter());
  }

  private Attempt attempt(Request request, Deadline deadline) {
    Duration left = deadline.left();
    Duration most = tryTimeout.plus(request.patience());
    Duration limit = left.compareTo(most) < 0 ? left : most;
    if (limit.isNegative() || limit.isZero()) {
      return Attempt.failed(false, new HttpTimeoutException("no time was left to send it"));
    }
    CompletableFuture<HttpResponse<byte[]>> answer =
        http.sendAsync(request.within(limit), head -> new LimitedBody());
    try {
      // The limit of the request ends with the head of its answer, this one with its body.
      HttpResponse<byte[]> response = answer.get(limit.toNanos(), TimeUnit.NANOSECONDS);
      return new Attempt(response.statusCode(), response.body(), retryAfter(response), true, null);
    } catch (ExecutionException e) {
      Throwable failure = e.getCause() == null ? e : e.getCause();
      return Attempt.failed(!isUnsent(failure), failure);
    } catch (TimeoutException e) {
      return Attempt.failed(true, new HttpTimeoutException("no answer within " + limit));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Attempt.failed(true, e);
    } finally {
      answer.cancel(true);
    }
  }

  private static boolean isUnsent(Throwable failure) {
    return failure instanceof ConnectException
        || failure instanceof HttpConnectTimeoutException
        || failure instanceof SSLHandshakeException;
  }

  /** A number of seconds or a date; zero if it is neither. */
  private static Duration retryAfter(HttpResponse<?> response) {
    String text = response.headers().firstValue("Retry-After").orElse("");
    Duration after = Duration.ZERO;
    if (text.matches("[0-9]{1,9}")) {
      after = Duration.ofSeconds(Long.parseLong(text));
    } else if (!text.isEmpty()) {
      after = until(text);
    }
    return after.compareTo(RETRY_AFTER_MAX) > 0 ? RETRY_AFTER_MAX : after;
  }

  private static Duration until(String date) {
    try {
      Instant then = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date));
      Duration after = Duration.between(Instant.now(), then);
      return after.isNegative() ? Duration.ZERO : after;
    } catch (DateTimeException e) {
      return Duration.ZERO;
    }
  }

  /**
   * Sleeps before the next try: what the service asks for, and more at random, so that callers that
   * were refused together do not come back together.
   *
   * @return whether there is a next try: the deadline is later, and nobody has interrupted
   */
  boolean pause(int tries, Duration retryAfter, Deadline deadline) {
    Duration pause = retryAfter.plus(jitter(tries, retryAfter));
    if (deadline.isWithin(pause)) {
      return false;
    }
    try {
      Thread.sleep(pause.toMillis());
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static Duration jitter(int tries, Duration retryAfter) {
    long backoffMs = BACKOFF_MIN.toMillis() << Math.min(tries - 1, DOUBLINGS_MAX);
    long mostMs = Math.min(Math.max(backoffMs, retryAfter.toMillis() / 4), BACKOFF_MAX.toMillis());
    return Duration.ofMillis(ThreadLocalRandom.current().nextLong(mostMs / 2, mostMs + 1));
  }
}
