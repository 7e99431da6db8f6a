package io.sluice.testkit.redis;

import java.util.List;

/** What a node of a cluster says of the cluster: a line for each node that it knows. */
final class ClusterLines {
  private static final int FIRST_SLOTS = 8;

  private ClusterLines() {}

  static long slot(long partition, RedisBackend node) {
    return Long.parseLong(node.tell("CLUSTER KEYSLOT {p%d}".formatted(partition)).substring(1));
  }

  static String id(RedisBackend node) {
    return self(node).split(" ")[0];
  }

  static String self(RedisBackend node) {
    return lines(node).stream().filter(line -> line.contains("myself")).findFirst().orElseThrow();
  }

  static List<String> lines(RedisBackend node) {
    return node.tell("CLUSTER NODES").lines().filter(line -> !line.isBlank()).toList();
  }

  static boolean isReachable(String line) {
    return !line.contains("handshake") && !line.contains("noaddr") && !line.contains("fail");
  }

  static boolean hasSlot(String line, long slot) {
    String[] parts = line.split(" ");
    for (int i = FIRST_SLOTS; i < parts.length; i++) {
      String[] range = parts[i].split("-");
      if (!parts[i].startsWith("[")
          && slot >= Long.parseLong(range[0])
          && slot <= Long.parseLong(range[range.length - 1])) {
        return true;
      }
    }
    return false;
  }
}
