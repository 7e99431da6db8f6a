package io.sluice.config;

/** The configuration is invalid. The process ends with code 2 and this one sentence. */
public final class InvalidConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String key;

  /**
   * @param key the path of the key, e.g. {@code http.port}, or the file where it cannot be read
   * @param sentence what was expected and what was found; starts with the key
   */
  public InvalidConfigException(String key, String sentence) {
    super(sentence);
    this.key = key;
  }

  public String key() {
    return key;
  }
}
