package io.sluice.bench;

/** The benchmark cannot go on, or what it found must not be; the message is for whoever ran it. */
final class BenchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BenchException(String message) {
    super(message);
  }
}
