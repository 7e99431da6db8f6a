package io.sluice.cli;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** JSON for people: lines of key and value, then a table of each list of objects. */
final class JsonText {
  private static final String NONE = "-";

  private final Map<String, String> lines = new LinkedHashMap<>();
  private final Map<String, List<JsonObject>> lists = new LinkedHashMap<>();

  private JsonText(JsonObject json) {
    add("", json);
  }

  /** Ends with a line's end. */
  static String of(JsonObject json) {
    return new JsonText(json).written();
  }

  /** Without characters that a terminal could obey. */
  static String visible(@Nullable Object value) {
    return String.valueOf(value).replaceAll("\\p{Cntrl}", "?");
  }

  /** A field of an object in an object has both names, as in {@code totals.held}. */
  private void add(String prefix, JsonObject json) {
    for (String name : json.fieldNames()) {
      Object value = json.getValue(name);
      if (value instanceof JsonObject inner) {
        add(prefix + name + ".", inner);
      } else if (value instanceof JsonArray list && !list.isEmpty() && isOfObjects(list)) {
        lists.put(prefix + name, list.stream().map(JsonObject.class::cast).toList());
      } else {
        lines.put(prefix + visible(name), cell(value));
      }
    }
  }

  private static boolean isOfObjects(JsonArray list) {
    return list.stream().allMatch(JsonObject.class::isInstance);
  }

  private static String cell(@Nullable Object value) {
    if (value instanceof JsonArray list) {
      return list.isEmpty()
          ? NONE
          : list.stream().map(JsonText::visible).collect(Collectors.joining(", "));
    }
    return value == null ? NONE : visible(value);
  }

  private String written() {
    StringBuilder text = new StringBuilder();
    int width = lines.keySet().stream().mapToInt(String::length).max().orElse(0);
    lines.forEach(
        (key, value) -> text.append(padded(key + ":", width + 2)).append(value).append('\n'));
    lists.forEach(
        (name, rows) -> {
          text.append(text.isEmpty() ? "" : "\n").append(visible(name)).append(":\n");
          table(text, rows.stream().map(JsonText::row).toList());
        });
    return text.toString();
  }

  /** A list within a row is told by its length. */
  private static Map<String, String> row(JsonObject json) {
    JsonText flat = new JsonText(json);
    flat.lists.forEach((name, rows) -> flat.lines.put(name, "(" + rows.size() + ")"));
    return flat.lines;
  }

  /** Without columns in which no row has anything. */
  private static void table(StringBuilder text, List<Map<String, String>> rows) {
    Set<String> columns = new LinkedHashSet<>();
    rows.forEach(
        row -> row.forEach((column, value) -> addUnless(value.equals(NONE), columns, column)));
    Map<String, Integer> widths = new LinkedHashMap<>();
    for (String column : columns) {
      int longest =
          rows.stream().mapToInt(row -> row.getOrDefault(column, NONE).length()).max().orElse(0);
      widths.put(column, Math.max(column.length(), longest) + 2);
    }
    line(
        text,
        widths,
        columns.stream().collect(Collectors.toMap(column -> column, column -> column)));
    rows.forEach(row -> line(text, widths, row));
  }

  private static void addUnless(boolean left, Set<String> columns, String column) {
    if (!left) {
      columns.add(column);
    }
  }

  private static void line(
      StringBuilder text, Map<String, Integer> widths, Map<String, String> row) {
    List<String> cells = new ArrayList<>();
    widths.forEach((column, width) -> cells.add(padded(row.getOrDefault(column, NONE), width)));
    text.append(String.join("", cells).stripTrailing()).append('\n');
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(Math.max(1, width - text.length()));
  }
}
