package io.sluice.client;

import java.time.Duration;

/** The service answered with a problem: this call has changed nothing. */
public final class RefusedException extends SluiceException {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;
  private final boolean retryable;

  RefusedException(Problem problem, @Nullable String key, boolean retryable, Duration retryAfter) {
    super(problem.status() + " " + problem.word() + ": " + problem.detail(), key, retryAfter, null);
    this.problem = problem;
    this.retryable = retryable;
  }

  /** What the service said. */
  public Problem problem() {
    return problem;
  }

  /** The word of the problem, such as {@code sold-out}. */
  public String word() {
    return problem.word();
  }

  /** Whether the reason passes by itself, as that of a 429 does. */
  @Override
  public boolean isRetryable() {
    return retryable;
  }
}
