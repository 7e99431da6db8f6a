package io.sluice.db;

import java.util.Comparator;
import java.util.List;
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

  /** Rows that are one parameter, if they are in the text. */
  private static final Pattern ROWS = Pattern.compile("JSON_TABLE\\((?:_utf8mb4 X)?'[^']*'");

  private StatementNames() {}

  /** The names of the statements of a text, in order. */
  public static List<String> allOf(String sql) {
    return NEXT.splitAsStream(sql)
        .map(one -> of(ROWS.matcher(one).replaceFirst("JSON_TABLE(?")))
        .toList();
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
