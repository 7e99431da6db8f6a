package io.sluice.config;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The configuration is invalid. The process ends with code 2 and this one sentence. */
public final class InvalidConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** In place of a value that is not shown. */
  static final String HIDDEN = "something else (not shown, since it may hold a secret)";

  /** Nothing that has the form of a login, and nothing long enough for a token. */
  private static final Pattern HARMLESS = Pattern.compile("[^@]{0,60}");

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

  /**
   * Fails unless a condition holds.
   *
   * @param expected continues the sentence that begins with the key
   */
  static void require(boolean holds, String key, String expected) {
    if (!holds) {
      throw new InvalidConfigException(key, key + " " + expected);
    }
  }

  /** Fails unless the value of a key is at most that of another one. */
  static void requireAtMost(String key, int value, String other, int otherValue) {
    requireThan(value <= otherValue, key, value, "at most", other, otherValue);
  }

  /** Fails unless the value of a key is more than that of another one. */
  static void requireMore(String key, int value, String other, int otherValue) {
    requireThan(value > otherValue, key, value, "more than", other, otherValue);
  }

  private static void requireThan(
      boolean holds, String key, int value, String how, String other, int otherValue) {
    if (!holds) {
      throw new InvalidConfigException(
          key,
          "%s must be %s %s (%d)".formatted(key, how, other, otherValue),
          String.valueOf(value));
    }
  }

  /**
   * A wrong value as errors quote it, in quotes if it is text. One that may hold a secret is not
   * quoted, whatever its key: it may have been meant for another one.
   */
  static String quoted(@Nullable Object raw) {
    if (raw instanceof String text) {
      return HARMLESS.matcher(text).matches() ? "\"" + text + "\"" : HIDDEN;
    }
    boolean isSingle = raw == null || raw instanceof Number || raw instanceof Boolean;
    return isSingle ? String.valueOf(raw) : "no single value";
  }
}
