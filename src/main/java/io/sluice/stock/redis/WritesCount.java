package io.sluice.stock.redis;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Shows by INFO whether a Redis process has written anything: its changes since the last save, with
 * what tells one save from the next. Changes alone would not do, because each save counts from the
 * start, nor would the time of a save, because two may end in the same second. Keys that expire or
 * are evicted, which a Redis of Sluice never does, are no changes in its count.
 */
final class WritesCount {
  private static final String CHANGES = "rdb_changes_since_last_save:";
  private static final String SAVED_AT = "rdb_last_save_time:";

  /** Each is shown from some version on. */
  private static final List<String> SAVES = List.of("rdb_saves:", "total_forks:");

  private static final List<String> REMOVED = List.of("expired_keys:", "evicted_keys:");

  private WritesCount() {}

  /** Reads it from the whole of INFO; empty if this server does not count. */
  static String in(String info) {
    String changes = value(CHANGES, info);
    String savedAt = value(SAVED_AT, info);
    String saves = values(SAVES, info);
    return changes.isEmpty() || savedAt.isEmpty() || saves.isBlank()
        ? ""
        : String.join(":", changes, savedAt, saves, values(REMOVED, info));
  }

  private static String values(List<String> names, String info) {
    return names.stream().map(name -> value(name, info)).collect(Collectors.joining(" "));
  }

  /** The rest of its line; empty if there is none. */
  private static String value(String name, String info) {
    int begin = info.indexOf('\n' + name);
    int end = begin < 0 ? -1 : info.indexOf('\r', begin);
    return end < 0 ? "" : info.substring(begin + 1 + name.length(), end);
  }
}
