package io.sluice.client;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads one JSON text (RFC 8259), strictly: UTF-8, no member twice, nothing behind it, at most
 * {@link #DEPTH_MAX} values within each other. A whole number is a {@code Long}, any other a {@code
 * Double}. Members that are null are left out, so that no value is null.
 */
final class JsonReader {
  static final int DEPTH_MAX = 32;

  private static final int HEX = 16;
  private static final int ESCAPE_DIGITS = 4;

  private final String text;
  private int at;
  private int depth;

  JsonReader(byte[] utf8) {
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
    } catch (CharacterCodingException e) {
      throw new JsonException("Expected UTF-8, but got other bytes");
    }
  }

  /** The value. The text must not be {@code null}. */
  Object read() {
    Object value = value();
    space();
    if (at < text.length() || value == null) {
      throw expected("one value");
    }
    return value;
  }

  /** Null if the value is {@code null}. */
  private @Nullable Object value() {
    space();
    switch (peek()) {
      case '{':
        return object();
      case '[':
        return array();
      case '"':
        return string();
      case 't':
        return word("true", true);
      case 'f':
        return word("false", false);
      case 'n':
        return word("null", null);
      default:
        return number();
    }
  }

  private Map<String, Object> object() {
    Map<String, Object> members = new HashMap<>();
    Set<String> names = new HashSet<>();
    enter();
    if (!ends('}')) {
      do {
        space();
        String name = string();
        space();
        take(':');
        Object value = value();
        if (!names.add(name)) {
          throw expected("each member once");
        }
        if (value != null) {
          members.put(name, value);
        }
      } while (goesOn('}'));
    }
    depth--;
    return Map.copyOf(members);
  }

  /** A null in a list has no use in any answer, so it is refused. */
  private List<Object> array() {
    List<Object> values = new ArrayList<>();
    enter();
    if (!ends(']')) {
      do {
        Object value = value();
        if (value == null) {
          throw expected("no null in a list");
        }
        values.add(value);
      } while (goesOn(']'));
    }
    depth--;
    return List.copyOf(values);
  }

  private void enter() {
    at++;
    if (++depth > DEPTH_MAX) {
      throw expected("at most " + DEPTH_MAX + " values within each other");
    }
  }

  private boolean ends(char end) {
    space();
    if (peek() != end) {
      return false;
    }
    at++;
    return true;
  }

  private boolean goesOn(char end) {
    if (ends(end)) {
      return false;
    }
    take(',');
    return true;
  }

  private String string() {
    take('"');
    StringBuilder string = new StringBuilder();
    for (char next = next(); next != '"'; next = next()) {
      if (next < ' ') {
        throw expected("no control character in a string");
      }
      string.append(next == '\\' ? escaped() : next);
    }
    return string.toString();
  }

  private char escaped() {
    char escape = next();
    switch (escape) {
      case '"':
      case '\\':
      case '/':
        return escape;
      case 'b':
        return '\b';
      case 'f':
        return '\f';
      case 'n':
        return '\n';
      case 'r':
        return '\r';
      case 't':
        return '\t';
      case 'u':
        return unicode();
      default:
        throw expected("an escape");
    }
  }

  private char unicode() {
    int code = 0;
    for (int i = 0; i < ESCAPE_DIGITS; i++) {
      int digit = Character.digit(next(), HEX);
      if (digit < 0) {
        throw expected("four hexadecimal digits");
      }
      code = code * HEX + digit;
    }
    return (char) code;
  }

  private Object number() {
    int from = at;
    while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    String number = text.substring(from, at);
    if (!number.matches("-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?")) {
      throw expected("a value");
    }
    try {
      return number.matches("-?[0-9]+") ? (Object) Long.valueOf(number) : Double.valueOf(number);
    } catch (NumberFormatException e) {
      throw expected("a whole number of 64 bits");
    }
  }

  private @Nullable Object word(String word, @Nullable Object meaning) {
    if (!text.startsWith(word, at)) {
      throw expected("a value");
    }
    at += word.length();
    return meaning;
  }

  private void space() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  /** The next character, which stays; 0 behind the last one. */
  private char peek() {
    return at < text.length() ? text.charAt(at) : 0;
  }

  private char next() {
    if (at >= text.length()) {
      throw expected("the end of a string");
    }
    return text.charAt(at++);
  }

  private void take(char wanted) {
    if (peek() != wanted) {
      throw expected("'" + wanted + "'");
    }
    at++;
  }

  private JsonException expected(String what) {
    return new JsonException("Expected " + what + " at " + at + ", but got another text");
  }
}
