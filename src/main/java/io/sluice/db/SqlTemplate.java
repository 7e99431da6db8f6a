package io.sluice.db;

import io.sluice.model.BundledFile;
import io.vertx.sqlclient.Tuple;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The text of one statement, without its header, and its repeated part; the only place that
 * generates multi-row VALUES lists, IN lists and unions.
 *
 * <p>{@code {rows 5}} stands for rows of five values, {@code {list}} for the members of an IN list,
 * {@code {buckets}} for alternatives of (sku_id, bucket) pairs, {@code {union}SELECT ...{end}} for
 * a union of such queries. The same list may stand there twice.
 */
final class SqlTemplate {
  /** The maximum number of rows in one statement; more would not be faster. */
  static final int ROWS_MAX = 500;

  /** Far below max_allowed_packet, whose default is 16 MB. */
  static final int CHARS_MAX = 1 << 20;

  private static final String ROOT = "/sql/";
  private static final String LIST = "{list}";
  private static final Pattern MARKER =
      Pattern.compile("\\{(rows (\\d+)|list|buckets|union}(.*?)\\{end)}", Pattern.DOTALL);

  private final String before;
  private final String item;
  private final String separator;
  private final String after;

  // Sizes are powers of two up to Chunks.SIZE_MAX, so this has a dozen texts at most.
  private final Map<Integer, String> bySize = new ConcurrentHashMap<>();

  private SqlTemplate(String before, String item, String separator, String after) {
    this.before = before;
    this.item = item;
    this.separator = separator;
    this.after = after;
  }

  /** The statements of a file by their names; each begins with a line "-- name: insert_holds". */
  static Map<String, String> texts(String path) {
    Map<String, String> texts = new LinkedHashMap<>();
    for (String block : read(path).split("(?m)^-- name: ")) {
      int end = block.indexOf('\n');
      if (end > 0
          && texts.put(block.substring(0, end), withoutHeader(block.substring(end))) != null) {
        throw new IllegalStateException(
            "Expected one statement of a name in "
                + path
                + ", but two are "
                + block.substring(0, end));
      }
    }
    return texts;
  }

  static SqlTemplate parse(String sql) {
    Matcher marker = MARKER.matcher(sql);
    if (!marker.find()) {
      return new SqlTemplate(sql, "", "", "");
    }
    String before = sql.substring(0, marker.start());
    String after = sql.substring(marker.end());
    return switch (marker.group(1)) {
      case "list" -> new SqlTemplate(before, "?", ", ", after);
      case "buckets" -> new SqlTemplate(before, "(sku_id = ? AND bucket = ?)", " OR ", after);
      default ->
          marker.group(2) == null
              ? new SqlTemplate(before, marker.group(3), "\n  UNION ALL", after)
              : new SqlTemplate(before, row(Integer.parseInt(marker.group(2))), ", ", after);
    };
  }

  boolean repeats() {
    return !item.isEmpty();
  }

  /** The statement with its repeated part for this many items; 0 if it has none. */
  String text(int items) {
    if (repeats() == (items == 0)) {
      throw new IllegalArgumentException(
          "Expected a number of items that fits the statement, but got " + items);
    }
    return items == 0 ? before : bySize.computeIfAbsent(items, this::expand);
  }

  /**
   * A statement that inserts rows, with their values in its text.
   *
   * @param end the index after its last row
   */
  record Written(String sql, int end) {}

  /**
   * The statement for rows from index {@code from} on, as many as fit: up to {@link #ROWS_MAX} rows
   * and {@link #CHARS_MAX} characters, but at least one row.
   */
  Written written(List<Tuple> rows, int from) {
    StringBuilder sql = new StringBuilder(before);
    int end = from;
    while (end < rows.size()
        && end - from < ROWS_MAX
        && (end == from || sql.length() < CHARS_MAX)) {
      sql.append(end == from ? "" : separator);
      SqlLiteral.appendFilled(sql, item, rows.get(end)::getValue);
      end++;
    }
    return new Written(sql.append(after).toString(), end);
  }

  /** The statement, which has one parameter and no repeated part, with this value in its text. */
  String written(String value) {
    StringBuilder sql = new StringBuilder(before.length() + value.length());
    SqlLiteral.appendFilled(sql, text(0), List.of(value)::get);
    return sql.toString();
  }

  private String expand(int items) {
    String all = String.join(separator, Collections.nCopies(items, item));
    return before + all + after.replace(LIST, all);
  }

  private static String row(int width) {
    return "(" + String.join(", ", Collections.nCopies(width, "?")) + ")";
  }

  static String withoutHeader(String file) {
    return Arrays.stream(file.split("\n"))
        .dropWhile(line -> line.isBlank() || line.startsWith("--"))
        .collect(Collectors.joining("\n"))
        .strip();
  }

  static String read(String path) {
    return BundledFile.text(ROOT + path);
  }
}
