package io.sluice.db;

import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;

/**
 * A statement with parameters that match rows, and the most rows that it may read.
 *
 * @param mostOnMysql the same on MySQL, which counts some rows twice that MariaDB counts once
 */
record Asked(SqlStatement statement, int items, Tuple parameters, long most, long mostOnMysql) {
  static Asked one(SqlStatement statement, long most, Object... parameters) {
    return new Asked(statement, 0, Tuple.from(parameters), most, most);
  }

  static Asked list(
      SqlStatement statement, List<Object> before, List<Object> items, Object... after) {
    List<Object> all = new ArrayList<>(before);
    all.addAll(items);
    all.addAll(List.of(after));
    long most = 4L * items.size() + 8;
    return new Asked(statement, items.size(), Tuple.from(all), most, most);
  }

  /**
   * What is due behind a place. Each of the 500 counts up to eight times: into union and page, out
   * of both, and in three look-ups; one extension may be read beside the latest.
   */
  static Asked due(int partition, long afterMs, long skuId, int bucket) {
    return due(List.of(partition), afterMs, skuId, bucket, 500);
  }

  /** The same of several partitions at once. */
  static Asked due(List<Integer> partitions, long afterMs, long skuId, int bucket, int each) {
    List<Object> all = new ArrayList<>();
    for (int partition : partitions) {
      for (int table = 0; table < 2; table++) {
        all.addAll(List.of(partition, 3_000, afterMs, afterMs));
        all.addAll(List.of(skuId, skuId, bucket, bucket, 0L, 0L, 0L, each));
      }
    }
    long most = 30 + 8L * each * partitions.size();
    return one(SqlStatement.LIST_DUE, most, all.toArray()).items(partitions.size());
  }

  /** What is gone from a partition. Each counts twice: into the union, and out of it. */
  static Asked gone(int partition) {
    List<Object> all = new ArrayList<>();
    for (int table = 0; table < 2; table++) {
      all.addAll(List.of(partition, 0L, 0L, -1, 500));
    }
    all.add(500);
    return one(SqlStatement.LIST_GONE_BUCKETS, 2_030, all.toArray());
  }

  /**
   * Asks how many rows were read. What is read again by its place is left out: MySQL, while its
   * buffer pool is small, sorts what an index found before it reads the rows.
   */
  static String rowsRead(String scope) {
    return "SHOW "
        + scope
        + " STATUS WHERE Variable_name LIKE 'Handler_read%' AND Variable_name <> 'Handler_read_rnd'";
  }

  String sql() {
    return statement.text(items);
  }

  /** The same, for statements with several parameters per item. */
  Asked items(int count) {
    return new Asked(statement, count, parameters, most, mostOnMysql);
  }

  /** The same, for statements that read more rows than items. */
  Asked most(long rows) {
    return new Asked(statement, items, parameters, rows, rows);
  }

  Asked mostOnMysql(long rows) {
    return new Asked(statement, items, parameters, most, rows);
  }

  @Override
  public String toString() {
    return statement.name();
  }
}
