package io.sluice.config.value;

import org.jspecify.annotations.Nullable;

/**
 * A key with an integer value.
 *
 * @param key its path, e.g. {@code http.port}
 * @param byDefault its default
 */
public record IntKey(String key, int byDefault, int min, int max) {

  /** Returns the value if it is in range; fails otherwise. */
  public int check(int value) {
    if (value < min || value > max) {
      throw fault(String.valueOf(value));
    }
    return value;
  }

  /** Checks the range, and that the value is at most another key's. */
  public void checkAtMost(int value, IntKey other, int otherValue) {
    if (check(value) > otherValue) {
      throw fault("at most", other, otherValue, value);
    }
  }

  /** Checks the range, and that the value is more than another key's. */
  public void checkMore(int value, IntKey other, int otherValue) {
    if (check(value) <= otherValue) {
      throw fault("more than", other, otherValue, value);
    }
  }

  /** Parses a value of the file (a number, or digits in quotes) or of the environment (text). */
  public int parse(@Nullable Object raw) {
    if (raw instanceof Integer number) {
      return check(number);
    }
    if (raw instanceof String text) {
      try {
        return check(Integer.parseInt(text.strip()));
      } catch (NumberFormatException notANumber) {
        throw fault(Quoted.of(text));
      }
    }
    throw fault(Quoted.of(raw));
  }

  private InvalidConfigException fault(String how, IntKey other, int otherValue, int was) {
    return new InvalidConfigException(
        key,
        key + " must be " + how + " " + other.key + " (" + otherValue + ")",
        String.valueOf(was));
  }

  private InvalidConfigException fault(String was) {
    return new InvalidConfigException(
        key, key + " must be a whole number in " + min + ".." + max, was);
  }
}
