package io.sluice.demo;

/** The demo cannot continue; the message is for the person who started it. */
final class DemoException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DemoException(String message) {
    super(message);
  }
}
