package io.sluice.db;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the statement of a text that was sent. */
public final class StatementNames {
  private static final List<Known> STATEMENTS =
      SqlStatement.Blocks.FILES.stream()
          .flatMap(file -> SqlTemplate.texts(file).entrySet().stream())
          .map(block -> Known.of(block.getKey(), block.getValue()))
          .toList();

  /** Only writes share a text. */
  private static final Pattern NEXT =
      Pattern.compile(Pattern.quote(SqlSession.SEPARATOR) + "(?=INSERT|UPDATE)");

  private static final Pattern ROWS = Pattern.compile("JSON_TABLE\\((_utf8mb4 X)?'([^']*)'");

  private StatementNames() {}

  /** The names of the statements of a text, in order. */
  public static List<String> allOf(String sql) {
    return split(sql).stream().map(one -> of(withoutRows(one))).toList();
  }

  /** The statements of a text, in order. */
  static List<String> split(String sql) {
    return NEXT.splitAsStream(sql).toList();
  }

  /** The rows of a statement that takes them as one parameter, if they are in its text. */
  static Optional<String> rows(String sql) {
    Matcher rows = ROWS.matcher(sql);
    if (!rows.find()) {
      return Optional.empty();
    }
    boolean isHex = rows.group(1) != null;
    return Optional.of(
        isHex ? new String(HexFormat.of().parseHex(rows.group(2)), UTF_8) : rows.group(2));
  }

  /** The statement with a parameter for these rows. */
  static String withoutRows(String sql) {
    return ROWS.matcher(sql).replaceFirst("JSON_TABLE(?");
  }

  /** The name of the statement with this text. */
  static String of(String sql) {
    return STATEMENTS.stream()
        .filter(known -> known.isPatternOf(sql))
        .max(Comparator.comparingInt(Known::fixedLength))
        .map(Known::name)
        .orElseThrow(() -> new IllegalStateException("Expected a known statement, got " + sql));
  }

  /** A statement, by its text before and after the part that is repeated per row. */
  private record Known(String name, String before, String after) {
    static Known of(String name, String sql) {
      int from = sql.indexOf('{');
      return from < 0
          ? new Known(name, sql, "")
          : new Known(name, sql.substring(0, from), sql.substring(sql.lastIndexOf('}') + 1));
    }

    boolean isPatternOf(String sql) {
      return sql.startsWith(before) && sql.endsWith(after);
    }

    int fixedLength() {
      return before.length() + after.length();
    }
  }
}
