package io.sluice.testkit.mysql;

import io.vertx.sqlclient.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** All rows of all tables of a ledger, whichever there are, as texts; bytes are in hexadecimal. */
public final class EveryRow {
  private static final String COLUMNS =
      """
      SELECT c.table_name, c.column_name, c.data_type
      FROM information_schema.columns c
      JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
      WHERE c.table_schema = DATABASE() AND t.table_type = 'BASE TABLE'
      ORDER BY c.table_name, c.ordinal_position\
      """;

  private EveryRow() {}

  /**
   * The rows by table.
   *
   * @param query runs SQL
   */
  public static Map<String, List<String>> of(Function<String, ? extends Iterable<Row>> query) {
    Map<String, List<String>> columns = new LinkedHashMap<>();
    for (Row row : query.apply(COLUMNS)) {
      String column = "`" + row.getString(1) + "`";
      boolean isBinary = row.getString(2).contains("binary") || row.getString(2).contains("blob");
      columns
          .computeIfAbsent(row.getString(0), table -> new ArrayList<>())
          .add(isBinary ? "HEX(" + column + ")" : "CAST(" + column + " AS CHAR)");
    }
    Map<String, List<String>> rows = new LinkedHashMap<>();
    columns.forEach((table, of) -> rows.put(table, texts(query.apply(select(table, of)))));
    return rows;
  }

  private static String select(String table, List<String> columns) {
    return columns.stream()
        .collect(Collectors.joining(", ", "SELECT CONCAT_WS(' ', ", ") FROM `" + table + "`"));
  }

  private static List<String> texts(Iterable<Row> rows) {
    List<String> texts = new ArrayList<>();
    rows.forEach(row -> texts.add(row.getString(0)));
    return texts;
  }
}
