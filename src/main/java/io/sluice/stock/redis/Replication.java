package io.sluice.stock.redis;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The replication state of a Redis.
 *
 * @param isReplica whether it is a replica of another
 * @param replicas the number of connected replicas, including those that are still synchronizing
 * @param asksForReplicas whether it refuses writes without enough recent replicas
 *     (min-replicas-to-write)
 * @param isSuccessor whether it was promoted, so that its former primary may still be running
 */
record Replication(boolean isReplica, int replicas, boolean asksForReplicas, boolean isSuccessor) {
  private static final Pattern REPLICAS = Pattern.compile("connected_slaves:(\\d+)");
  private static final Pattern FORMER_HISTORY = Pattern.compile("master_replid2:(?!0{40})\\w{40}");

  /** Parses the section {@code replication} of INFO. */
  static Replication parse(String info) {
    Matcher replicas = REPLICAS.matcher(info);
    return new Replication(
        info.contains("role:slave"),
        replicas.find() ? Integer.parseInt(replicas.group(1)) : 0,
        info.contains("min_slaves_good_slaves:"),
        FORMER_HISTORY.matcher(info).find());
  }

  /** Whether there can be no second primary with the same data. */
  boolean isAlone() {
    return replicas == 0 && !asksForReplicas && !isSuccessor;
  }
}
