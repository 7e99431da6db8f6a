package io.sluice.demo;

/** The demo cannot go on; the message is for whoever started it. */
final class DemoException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DemoException(String message) {
    super(message);
  }
}
