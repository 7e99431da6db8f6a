package io.sluice.db;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.buffer.Buffer;
import org.jspecify.annotations.Nullable;

/**
 * Writes values as literals into the text of a statement. Only texts of letters, digits and
 * harmless characters are quoted; any other text is written as the hex bytes of its UTF-8. So no
 * value can end its literal, in any SQL mode of the server.
 */
final class SqlLiteral {
  private static final char[] HEX = "0123456789ABCDEF".toCharArray();

  private SqlLiteral() {}

  /** Appends the template with each question mark replaced by the next of these values. */
  static void appendFilled(StringBuilder sql, String template, Values values) {
    int next = 0;
    int from = 0;
    for (int mark = template.indexOf('?'); mark >= 0; mark = template.indexOf('?', from)) {
      sql.append(template, from, mark);
      append(sql, values.at(next++));
      from = mark + 1;
    }
    sql.append(template, from, template.length());
  }

  /** The values of a template, in order. */
  interface Values {
    @Nullable Object at(int index);
  }

  static void append(StringBuilder sql, @Nullable Object value) {
    if (value == null) {
      sql.append("NULL");
    } else if (value instanceof String text) {
      appendText(sql, text);
    } else if (value instanceof Long number) {
      sql.append(number.longValue());
    } else if (value instanceof Integer number) {
      sql.append(number.intValue());
    } else if (value instanceof Buffer bytes) {
      appendHex(sql.append("X'"), bytes.getBytes());
    } else {
      throw new IllegalArgumentException(
          "Expected a text, bytes, a whole number or null, but got " + value.getClass());
    }
  }

  private static void appendText(StringBuilder sql, String text) {
    if (isHarmless(text)) {
      sql.append('\'').append(text).append('\'');
    } else {
      appendHex(sql.append("_utf8mb4 X'"), text.getBytes(UTF_8));
    }
  }

  private static void appendHex(StringBuilder sql, byte[] bytes) {
    for (byte one : bytes) {
      sql.append(HEX[(one >> 4) & 0xF]).append(HEX[one & 0xF]);
    }
    sql.append('\'');
  }

  private static boolean isHarmless(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if ((c < ' ' && c != '\n') || c > '~' || c == '\'' || c == '\\') {
        return false;
      }
    }
    return true;
  }
}
