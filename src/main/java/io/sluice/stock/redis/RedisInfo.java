package io.sluice.stock.redis;

import io.sluice.stock.StockConnection.Memory;
import io.sluice.stock.StockStore.Stamp;
import io.sluice.stock.StockUnavailableException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What a Redis tells of itself: the reply to INFO, or the section of it that is read. */
record RedisInfo(String text) {
  private static final Pattern RUN_ID = Pattern.compile("run_id:(\\w+)");
  private static final Pattern REPLICATION_ID = Pattern.compile("master_replid:(\\w+)");
  private static final Pattern USED = Pattern.compile("(?m)^used_memory:(\\d{1,18})\\r?$");
  private static final Pattern MAX = Pattern.compile("(?m)^maxmemory:(\\d{1,18})\\r?$");
  private static final Pattern REPLICAS = Pattern.compile("connected_slaves:(\\d{1,9})");
  private static final Pattern FORMER_HISTORY = Pattern.compile("master_replid2:(?!0{40})\\w{40}");
  private static final Pattern VERSION =
      Pattern.compile("redis_version:(\\d{1,9})\\.(\\d{1,9})\\.(\\d{1,9})");

  private static final String CHANGES = "rdb_changes_since_last_save:";
  private static final String SAVED_AT = "rdb_last_save_time:";

  /** Each is shown from some version on. */
  private static final List<String> SAVES = List.of("rdb_saves:", "total_forks:");

  private static final List<String> REMOVED = List.of("expired_keys:", "evicted_keys:");

  /**
   * Identifies the process and the history of its data, in the format that the mark of {@code
   * freeze} begins with. A primary that was demoted and promoted again has the same run id but has
   * lost writes; its replication id differs.
   */
  String history() {
    return id(RUN_ID) + ":" + id(REPLICATION_ID);
  }

  private String id(Pattern id) {
    Matcher found = id.matcher(text);
    if (!found.find()) {
      throw new StockUnavailableException("Expected " + id + " in INFO, but it is not there", null);
    }
    return found.group(1);
  }

  /**
   * Shows whether the process has written anything: its changes since the last save, with what
   * tells one save from the next; empty if this server does not count. Changes alone would not do,
   * because each save counts from the start, nor would the time of a save, because two may end in
   * the same second. Keys that expire or are evicted, which a Redis of Sluice never does, are no
   * changes in its count.
   */
  String writes() {
    String changes = value(CHANGES);
    String savedAt = value(SAVED_AT);
    String saves = values(SAVES);
    return changes.isEmpty() || savedAt.isEmpty() || saves.isBlank()
        ? ""
        : String.join(":", changes, savedAt, saves, values(REMOVED));
  }

  private String values(List<String> names) {
    return names.stream().map(this::value).collect(Collectors.joining(" "));
  }

  /** The rest of its line; empty if there is none. */
  private String value(String name) {
    int begin = text.indexOf('\n' + name);
    int end = begin < 0 ? -1 : text.indexOf('\r', begin);
    return end < 0 ? "" : text.substring(begin + 1 + name.length(), end);
  }

  Stamp stamp() {
    return new Stamp(history(), writes());
  }

  /** A server that shows no memory has 0. */
  Memory memory() {
    return new Memory(number(USED), number(MAX));
  }

  private long number(Pattern line) {
    Matcher found = line.matcher(text);
    return found.find() ? Long.parseLong(found.group(1)) : 0;
  }

  boolean isNodeOfCluster() {
    return text.contains("redis_mode:cluster");
  }

  /** Whether it is a replica of another. */
  boolean isReplica() {
    return text.contains("role:slave");
  }

  /** The number of connected replicas, including those that are still synchronizing. */
  int replicas() {
    return (int) number(REPLICAS);
  }

  /** Whether it refuses writes without enough recent replicas (min-replicas-to-write). */
  boolean asksForReplicas() {
    return text.contains("min_slaves_good_slaves:");
  }

  /**
   * Whether there can be no second primary with the same data: it has no replicas, and was not
   * promoted, so that its former primary may still be running.
   */
  boolean isAlone() {
    return replicas() == 0 && !asksForReplicas() && !FORMER_HISTORY.matcher(text).find();
  }

  /** Whether the version that it is compatible with is this or a later one; Valkey reports 7.2. */
  boolean isAtLeast(int major, int minor, int patch) {
    Matcher version = VERSION.matcher(text);
    if (!version.find()) {
      return false;
    }
    int[] wanted = {major, minor, patch};
    for (int part = 0; part < wanted.length; part++) {
      int is = Integer.parseInt(version.group(part + 1));
      if (is != wanted[part]) {
        return is > wanted[part];
      }
    }
    return true;
  }
}
