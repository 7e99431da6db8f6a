package io.sluice.client;

import java.time.Duration;

/**
 * The service gave no answer before the deadline, and nothing was changed: no connection was made,
 * or the call only reads.
 */
public final class UnavailableException extends SluiceException {
  private static final long serialVersionUID = 1L;

  UnavailableException(@Nullable String key, @Nullable Throwable cause) {
    super("Expected an answer, but none came in time", key, Duration.ZERO, cause);
  }

  /** Always. */
  @Override
  public boolean isRetryable() {
    return true;
  }
}
