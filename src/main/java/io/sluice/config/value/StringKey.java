package io.sluice.config.value;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A key with a text value.
 *
 * @param key its path, e.g. {@code kafka.group}
 * @param byDefault its default
 * @param expectation continues the sentence "must be"
 * @param form the pattern of the whole value
 * @param kind says how much of it may be shown
 */
public record StringKey(String key, String byDefault, String expectation, Pattern form, Kind kind) {

  /** How much of a value may be shown. */
  public enum Kind {
    /** All of it. */
    PLAIN,
    /** Everything except the password, and nothing if it cannot be parsed. */
    URI,
    /** Nothing. */
    SECRET
  }

  private static final String HIDDEN = "***";

  /** A text of this form, which may be shown. */
  public static StringKey of(String key, String byDefault, String expectation, String form) {
    return new StringKey(key, byDefault, expectation, Pattern.compile(form), Kind.PLAIN);
  }

  /** A server's URI, which may have a password. */
  public static StringKey uri(String key, String byDefault, String expectation, String form) {
    return new StringKey(key, byDefault, expectation, Pattern.compile(form), Kind.URI);
  }

  /** A key whose value is never shown; empty by default. */
  public static StringKey secret(String key, String expectation, String form) {
    return new StringKey(key, "", expectation, Pattern.compile(form), Kind.SECRET);
  }

  /** Returns the value if it matches the pattern; fails otherwise. */
  public String check(String value) {
    if (!form.matcher(value).matches()) {
      throw fault(value);
    }
    return value;
  }

  /**
   * Parses a value of the file or the environment. YAML's numbers and dates are not text: 0123 is
   * 83 there.
   */
  public String parse(@Nullable Object raw) {
    if (raw instanceof String text) {
      return check(text);
    }
    throw new InvalidConfigException(key, key + " must be text (in quotes)", was(raw));
  }

  /** That this value is not as expected; a secret is not part of it. */
  public InvalidConfigException fault(String value) {
    return new InvalidConfigException(key, key + " must be " + expectation, was(value));
  }

  private String was(@Nullable Object raw) {
    return kind == Kind.PLAIN ? Quoted.of(raw) : Quoted.HIDDEN;
  }

  /**
   * The value for the log: of a secret only whether it is set, of a URI everything except its
   * password.
   */
  public String shown(String value) {
    return switch (kind) {
      case PLAIN -> value;
      case URI -> value.isEmpty() ? "(none)" : ServerUri.parse(value).toString();
      case SECRET -> value.isEmpty() ? "(none)" : HIDDEN;
    };
  }
}
