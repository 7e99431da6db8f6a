package io.sluice.db;

import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;

/** A statement with parameters that match rows, and the most rows that it may read. */
record Asked(SqlStatement statement, int items, Tuple parameters, long most) {
  static Asked one(SqlStatement statement, long most, Object... parameters) {
    return new Asked(statement, 0, Tuple.from(parameters), most);
  }

  static Asked list(
      SqlStatement statement, List<Object> before, List<Object> items, Object... after) {
    List<Object> all = new ArrayList<>(before);
    all.addAll(items);
    all.addAll(List.of(after));
    return new Asked(statement, items.size(), Tuple.from(all), 4L * items.size() + 8);
  }

  String sql() {
    return statement.text(items);
  }

  /** The same, for statements with several parameters per item. */
  Asked items(int count) {
    return new Asked(statement, count, parameters, most);
  }

  /** The same, for statements that read more rows than items. */
  Asked most(long rows) {
    return new Asked(statement, items, parameters, rows);
  }

  @Override
  public String toString() {
    return statement.name();
  }
}
