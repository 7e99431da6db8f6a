package io.sluice.jwt;

/** A file has no keys that can be used; the message says why, without any of its content. */
final class InvalidKeysException extends Exception {
  private static final long serialVersionUID = 1L;

  /**
   * @param sentence continues "key must "
   */
  InvalidKeysException(String sentence) {
    super(sentence, null, false, false);
  }

  /** The sentence. */
  String sentence() {
    return String.valueOf(getMessage());
  }
}
