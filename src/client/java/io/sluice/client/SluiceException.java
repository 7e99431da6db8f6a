package io.sluice.client;

import java.time.Duration;
import java.util.Optional;

/** A call that had no result. Which of the three it is says what is known. */
public abstract sealed class SluiceException extends RuntimeException
    permits RefusedException, OutcomeUnknownException, UnavailableException {
  private static final long serialVersionUID = 1L;

  private final @Nullable String key;
  private final Duration retryAfter;

  SluiceException(
      String message, @Nullable String key, Duration retryAfter, @Nullable Throwable cause) {
    super(message, cause);
    this.key = key;
    this.retryAfter = retryAfter;
  }

  /** The {@code Idempotency-Key} of the order, with which it can be asked for again; else none. */
  public Optional<String> key() {
    return Optional.ofNullable(key);
  }

  /** Whether the same call, with the same key, may have a result later. */
  public abstract boolean isRetryable();

  /** When to repeat it at the earliest, from now on; zero if the service has not said so. */
  public Duration retryAfter() {
    return retryAfter;
  }
}
