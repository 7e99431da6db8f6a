package io.sluice.config.value;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A wrong value as errors quote it. A value that may hold a secret is not quoted, whatever its key:
 * it may have been meant for another one.
 */
public final class Quoted {
  /** In place of a value that is not shown. */
  public static final String HIDDEN = "something else (not shown, since it may hold a secret)";

  /** Nothing that has the form of a login, and nothing long enough for a token. */
  private static final Pattern HARMLESS = Pattern.compile("[^@]{0,60}");

  private Quoted() {}

  /** A single value, in quotes if it is text. */
  public static String of(@Nullable Object raw) {
    if (raw instanceof String text) {
      return HARMLESS.matcher(text).matches() ? "\"" + text + "\"" : HIDDEN;
    }
    boolean isSingle = raw == null || raw instanceof Number || raw instanceof Boolean;
    return isSingle ? String.valueOf(raw) : "no single value";
  }
}
