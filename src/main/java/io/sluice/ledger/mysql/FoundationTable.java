package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.Levels;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The values that all instances of a ledger share, by name. */
public final class FoundationTable {
  /** The number of partitions. */
  public static final String PARTITIONS = "kafka_partitions";

  /** The id of the order log's topic. */
  public static final String TOPIC_ID = "kafka_topic_id";

  /** Followed by a partition number; raise_term.sql and found_fences.sql use the same prefix. */
  public static final String BEGIN = "kafka_begin.";

  /** The format of the tables that this release reads and writes. */
  private static final String FORMAT = " in format 3";

  /** Follows the format, with the lowest level of which instances may run. */
  private static final String LEVEL = ", level ";

  private FoundationTable() {}

  /**
   * The number of partitions as a new ledger keeps it. Together with format and level, because
   * every release compares this value and ends with code 2 if it is another one: also builds before
   * 1.0, which know other formats.
   */
  public static String partitions(int partitions) {
    return kept(partitions, Levels.BASE);
  }

  private static String kept(int partitions, int level) {
    return partitions + FORMAT + LEVEL + level;
  }

  /** Whether this is the number of partitions as it is kept, at a level of this release. */
  public static boolean isOf(String kept, int partitions) {
    return IntStream.rangeClosed(Levels.BASE, Levels.LEVEL)
        .anyMatch(level -> kept.equals(kept(partitions, level)));
  }

  /** Whether this ledger was founded without an order log. */
  public static boolean hasNoLog(String kept) {
    return isOf(kept, 0);
  }

  /** The value of a ledger that had no order log, once it has one of so many partitions. */
  public static String withLog(String kept, int partitions) {
    return partitions + kept.substring(kept.indexOf(FORMAT));
  }

  /** Whether releases below this level end with code 2 because of this value. */
  public static boolean isRaised(String kept, int level) {
    int at = kept.indexOf(LEVEL);
    return at >= 0 && Integer.parseInt(kept.substring(at + LEVEL.length())) >= level;
  }

  /** The value with this level in place of a lower one. */
  public static String raised(String kept, int level) {
    return kept.substring(0, kept.indexOf(LEVEL)) + LEVEL + level;
  }

  /** Values that exist are kept, and locked until the transaction ends. */
  public static Future<Void> insert(SqlSession session, Map<String, String> values) {
    List<Tuple> rows =
        values.entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(entry -> Tuple.of(entry.getKey(), entry.getValue()))
            .toList();
    return session.insert(SqlStatement.INSERT_FOUNDATION, rows);
  }

  /** Changes a value that exists. */
  static Future<Void> change(SqlSession session, String name, String value) {
    return session.update(SqlStatement.CHANGE_FOUNDATION, Tuple.of(value, name)).mapEmpty();
  }

  /** The values with the offsets at which the ledger begins to read each partition. */
  static Map<String, String> begins(Map<Integer, Long> ends) {
    Map<String, String> begins = new TreeMap<>();
    ends.forEach((partition, end) -> begins.put(BEGIN + partition, String.valueOf(end)));
    return begins;
  }

  /** The number of partitions as it is kept; empty if the ledger was not founded yet. */
  static Future<String> partitions(SqlSession session) {
    return list(session).map(found -> found.getOrDefault(PARTITIONS, ""));
  }

  /** All values by their names. */
  public static Future<Map<String, String>> list(SqlSession session) {
    return session
        .select(
            SqlStatement.LIST_FOUNDATION,
            Tuple.tuple(),
            row -> Map.entry(row.getString(0), row.getString(1)))
        .map(
            found ->
                found.stream().collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
  }
}
