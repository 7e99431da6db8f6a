package io.sluice.client;

import java.time.Duration;
import java.util.Optional;

/**
 * A change was sent, and no answer told what became of it before the deadline. It may have been
 * made, or be made yet: <b>this is no failure</b>. Make the same call again, of an order with the
 * same {@link Purchase}, to learn the outcome.
 */
public final class OutcomeUnknownException extends SluiceException {
  private static final long serialVersionUID = 1L;

  private final transient Optional<Problem> problem;

  OutcomeUnknownException(
      @Nullable String key,
      Optional<Problem> problem,
      Duration retryAfter,
      @Nullable Throwable cause) {
    super(
        "Expected an answer that tells the outcome, but none came in time"
            + problem.map(last -> "; the last was " + last.status() + " " + last.word()).orElse(""),
        key,
        retryAfter,
        cause);
    this.problem = problem;
  }

  /** The last answer, if there was one and it was a problem. */
  public Optional<Problem> problem() {
    return problem;
  }

  /** Always. */
  @Override
  public boolean isRetryable() {
    return true;
  }
}
