package io.sluice.model;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * Reads JSON of exactly the form that this build writes, from left to right: no spaces, fields in
 * one order, ASCII without escapes. If the text deviates, the reader has failed, and all of it is
 * left to a parser, which decides what it means. So the result is the same, at a part of the cost.
 */
public final class PlainJson {
  /** More digits may exceed a long. */
  private static final int DIGITS_MAX = 18;

  private static final char FIRST_PRINTABLE = ' ';
  private static final char LAST_PRINTABLE = '~';

  private final String json;
  private int at;
  private boolean failed;

  public PlainJson(String json) {
    this.json = json;
  }

  /** Of bytes in any encoding: other bytes than ASCII are not read. */
  public PlainJson(byte[] json) {
    this(new String(json, ISO_8859_1));
  }

  /** Whether everything so far was as expected. */
  public boolean isGood() {
    return !failed;
  }

  /** The same, and nothing is left. */
  public boolean isWhole() {
    return !failed && at == json.length();
  }

  /** Passes these characters if they are next; it does not fail otherwise. */
  public boolean skip(String next) {
    boolean isThere = json.startsWith(next, at);
    at += isThere ? next.length() : 0;
    return isThere;
  }

  /** Passes these characters; fails if others are next. */
  public void pass(String next) {
    failed |= !skip(next);
  }

  /** The number after these characters, without a sign; fails, and returns 0, for anything else. */
  public long number(String before) {
    pass(before);
    int begin = at;
    long number = 0;
    while (at < json.length() && json.charAt(at) >= '0' && json.charAt(at) <= '9') {
      number = 10 * number + json.charAt(at) - '0';
      at++;
    }
    int digits = at - begin;
    boolean isPadded = digits > 1 && json.charAt(begin) == '0';
    failed |= digits == 0 || digits > DIGITS_MAX || isPadded;
    return failed ? 0 : number;
  }

  /**
   * The text after these characters, the last of which is a quotation mark, up to the next one,
   * which is passed as well. Fails, and returns an empty text, if there are escapes or other
   * characters than ASCII.
   */
  public String text(String before) {
    pass(before);
    int begin = at;
    for (int i = begin; i < json.length(); i++) {
      char c = json.charAt(i);
      if (c == '"') {
        at = i + 1;
        return failed ? "" : json.substring(begin, i);
      }
      if (c < FIRST_PRINTABLE || c > LAST_PRINTABLE || c == '\\') {
        break;
      }
    }
    failed = true;
    return "";
  }
}
