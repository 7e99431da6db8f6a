package io.sluice.stock.redis;

/** This Redis is not configured to hold stock; the message tells the operator what to change. */
final class UnfitRedisException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnfitRedisException(String message) {
    super(message, null, false, false);
  }
}
