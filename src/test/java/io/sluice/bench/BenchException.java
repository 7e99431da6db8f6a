package io.sluice.bench;

/** The benchmark cannot go on, or what it found must not be; the message is for whoever ran it. */
public final class BenchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public BenchException(String message) {
    super(message);
  }
}
