package io.sluice.stock.redis;

/**
 * This Redis must not hold stock as it is set up; the message says what an operator must change.
 */
final class UnfitRedisException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnfitRedisException(String message) {
    super(message, null, false, false);
  }
}
