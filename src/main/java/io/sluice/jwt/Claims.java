package io.sluice.jwt;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The claims of a token.
 *
 * @param notBeforeMs epoch milliseconds; 0 if it has no {@code nbf}
 * @param expiresMs epoch milliseconds
 * @param issuer null if it has no {@code iss}
 * @param audience empty if it has no {@code aud}
 * @param subject its {@code sub}; null if that is missing or not text
 * @param user the claim of {@code auth.user_claim}; null if that is missing or not text
 */
public record Claims(
    long notBeforeMs,
    long expiresMs,
    @Nullable String issuer,
    List<String> audience,
    @Nullable String subject,
    @Nullable String user) {
  /** By how much the clock of the issuer may differ from ours. */
  static final Duration LEEWAY = Duration.ofSeconds(30);

  /** Whether it is over, with leeway. */
  boolean isExpired(long nowMs) {
    return nowMs >= expiresMs + LEEWAY.toMillis();
  }

  /** How long until it begins, with leeway; 0 if it has begun. */
  public long untilBegunMs(long nowMs) {
    return Math.max(0, notBeforeMs - LEEWAY.toMillis() - nowMs);
  }
}
