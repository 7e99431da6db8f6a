package io.sluice.config.value;

/** The configuration is invalid. The process ends with code 2 and this one sentence. */
public final class InvalidConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String key;
  private final String expectation;

  /**
   * @param key the path of the key, e.g. {@code http.port}, or the file if it cannot be read
   * @param sentence the expectation and the value found; starts with the key
   */
  public InvalidConfigException(String key, String sentence) {
    super(sentence);
    this.key = key;
    this.expectation = sentence;
  }

  /**
   * Keeps the value apart: if it must not be shown, the expectation still can be.
   *
   * @param expectation starts with the key
   */
  public InvalidConfigException(String key, String expectation, String was) {
    super(expectation + ", was " + was);
    this.key = key;
    this.expectation = expectation;
  }

  /** The path of the key. */
  public String key() {
    return key;
  }

  /** The sentence without the value. */
  String expectation() {
    return expectation;
  }
}
