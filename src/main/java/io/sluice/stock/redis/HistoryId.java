package io.sluice.stock.redis;

import io.sluice.stock.StockUnavailableException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Identifies a Redis process and the history of its data. A primary that was demoted and promoted
 * again has the same run id but has lost writes; its replication id differs.
 */
final class HistoryId {
  private static final Pattern RUN_ID = Pattern.compile("run_id:(\\w+)");
  private static final Pattern REPLICATION_ID = Pattern.compile("master_replid:(\\w+)");

  private HistoryId() {}

  /**
   * Reads the ids from the whole of INFO, in the format that the mark of {@code freeze} begins
   * with.
   */
  static String in(Object info) {
    return find(RUN_ID, info.toString()) + ":" + find(REPLICATION_ID, info.toString());
  }

  private static String find(Pattern id, String info) {
    Matcher found = id.matcher(info);
    if (!found.find()) {
      throw new StockUnavailableException("Expected " + id + " in INFO, but it is not there", null);
    }
    return found.group(1);
  }
}
