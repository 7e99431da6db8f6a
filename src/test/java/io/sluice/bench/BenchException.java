package io.sluice.bench;

/**
 * The benchmark cannot continue, or an audit found a breach; the message is for the person who ran
 * it.
 */
public final class BenchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public BenchException(String message) {
    super(message);
  }
}
