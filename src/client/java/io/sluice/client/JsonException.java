package io.sluice.client;

/** A text is not the JSON that was expected. */
final class JsonException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  JsonException(String message) {
    super(message);
  }
}
