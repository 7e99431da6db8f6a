package io.sluice.config;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A key with a text value.
 *
 * @param key its path, e.g. {@code kafka.group}
 * @param byDefault its default
 * @param expectation continues the sentence "must be"
 * @param form the pattern of the whole value
 * @param secret whether it must never be shown
 */
record StringKey(String key, String byDefault, String expectation, Pattern form, boolean secret) {
  private static final String HIDDEN = "***";
  private static final Pattern PASSWORD_IN_QUERY = Pattern.compile("([?&]password=)[^&]*");

  static StringKey of(String key, String byDefault, String expectation, String form) {
    return new StringKey(key, byDefault, expectation, Pattern.compile(form), false);
  }

  /** A key whose value is never shown; empty by default. */
  static StringKey secret(String key, String expectation, String form) {
    return new StringKey(key, "", expectation, Pattern.compile(form), true);
  }

  /** Returns the value if it matches the pattern; fails otherwise. */
  String check(String value) {
    if (!form.matcher(value).matches()) {
      throw fault(value);
    }
    return value;
  }

  /**
   * Parses a value of the file or the environment. YAML's numbers and dates are not text: 0123 is
   * 83 there.
   */
  String parse(@Nullable Object raw) {
    if (raw instanceof String text) {
      return check(text);
    }
    String was = secret ? "something else" : String.valueOf(raw);
    throw new InvalidConfigException(key, key + " must be text (in quotes)", was);
  }

  InvalidConfigException fault(String value) {
    return new InvalidConfigException(
        key, key + " must be " + expectation, "\"" + (secret ? HIDDEN : redacted(value)) + "\"");
  }

  /**
   * The value for the log: of a secret only whether it is set, of a URI everything except its
   * password.
   */
  String shown(String value) {
    if (secret) {
      return value.isEmpty() ? "(none)" : HIDDEN;
    }
    return redacted(value);
  }

  /**
   * Hides everything between the user and the last at sign, even where the value is not a valid
   * URI.
   */
  private static String redacted(String value) {
    int at = value.lastIndexOf('@');
    if (at < 0) {
      return PASSWORD_IN_QUERY.matcher(value).replaceAll("$1" + HIDDEN);
    }
    int scheme = value.indexOf("://");
    int user = scheme < 0 || scheme > at ? 0 : scheme + 3;
    int colon = value.indexOf(':', user);
    int from = colon < 0 || colon > at ? user : colon + 1;
    String server = PASSWORD_IN_QUERY.matcher(value.substring(at)).replaceAll("$1" + HIDDEN);
    return value.substring(0, from) + HIDDEN + server;
  }
}
