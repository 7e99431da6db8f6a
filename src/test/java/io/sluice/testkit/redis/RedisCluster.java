package io.sluice.testkit.redis;

import static org.awaitility.Awaitility.await;

import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.awaitility.core.ConditionFactory;

/**
 * A real Redis Cluster on this machine, and what operators and fail-overs do to it. Its nodes
 * promote replicas by themselves, as they find each other silent for {@link #SILENT_MS}.
 */
public final class RedisCluster implements AutoCloseable {
  /** A lag that a primary may have at most, where it has a replica. */
  public static final int LAG_S = 2;

  private static final int SLOTS = 16_384;
  private static final int SILENT_MS = 1_500;
  private static final int KEYS_AT_ONCE = 1_000;
  private static final int MIGRATE_LIMIT_MS = 5_000;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final RedisBackend kin;
  private final List<RedisBackend> nodes = new ArrayList<>();

  private RedisCluster(RedisBackend kin) {
    this.kin = kin;
  }

  /**
   * Starts that many primaries, each with that many replicas (0 or 1); all slots are shared out.
   */
  public static RedisCluster of(RedisBackend kin, int primaries, int replicas) {
    RedisCluster cluster = new RedisCluster(kin);
    try {
      cluster.found(primaries, replicas);
    } catch (RuntimeException | Error failed) {
      cluster.close();
      throw failed;
    }
    return cluster;
  }

  private void found(int primaries, int replicas) {
    for (int i = 0; i < primaries * (1 + replicas); i++) {
      RedisBackend node = start(replicas);
      node.tell("CLUSTER SET-CONFIG-EPOCH " + (i + 1));
      if (i < primaries) {
        int from = SLOTS * i / primaries;
        int to = SLOTS * (i + 1) / primaries - 1;
        node.tell("CLUSTER ADDSLOTSRANGE %d %d".formatted(from, to));
      } else {
        meet(node);
      }
    }
    nodes.subList(1, primaries).forEach(this::meet);
    awaitKnown();
    for (int i = primaries; i < nodes.size(); i++) {
      nodes.get(i).tell("CLUSTER REPLICATE " + ClusterLines.id(nodes.get(i % primaries)));
    }
    awaitWhole();
  }

  private RedisBackend start(int replicas) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("cluster-node-timeout", String.valueOf(SILENT_MS));
    settings.put("cluster-require-full-coverage", "no");
    settings.put("repl-diskless-sync-delay", "0");
    if (replicas > 0) {
      settings.put("min-replicas-to-write", String.valueOf(replicas));
      settings.put("min-replicas-max-lag", String.valueOf(LAG_S));
    }
    RedisBackend node = kin.startNode(settings);
    nodes.add(node);
    return node;
  }

  /** Another primary, without slots and replicas. */
  public RedisBackend add() {
    RedisBackend node = start(0);
    meet(node);
    awaitWhole();
    return node;
  }

  private void meet(RedisBackend node) {
    meet(nodes.get(0), node);
  }

  private static void meet(RedisBackend host, RedisBackend node) {
    URI uri = URI.create(node.uri());
    String busPort = ClusterLines.self(node).split(" ")[1].replaceAll(".*@(\\d+).*", "$1");
    host.tell("CLUSTER MEET %s %d %s".formatted(uri.getHost(), uri.getPort(), busPort));
  }

  private void awaitKnown() {
    eventually("the nodes know each other").until(() -> nodes.stream().allMatch(this::knowsAll));
  }

  private boolean knowsAll(RedisBackend node) {
    List<String> lines = ClusterLines.lines(node);
    return lines.size() == nodes.size() && lines.stream().allMatch(ClusterLines::isReachable);
  }

  /** Returns once each node finds the cluster in order, and each replica follows its primary. */
  public void awaitWhole() {
    eventually("the cluster is whole").until(() -> nodes.stream().allMatch(this::isWell));
  }

  private boolean isWell(RedisBackend node) {
    String replication = node.tell("INFO replication");
    boolean inRole =
        replication.contains("role:master")
            ? !replication.contains("min_slaves_good_slaves:0")
            : replication.contains("master_link_status:up");
    return inRole && node.tell("CLUSTER INFO").contains("cluster_state:ok") && knowsAll(node);
  }

  /** The addresses of all nodes, with commas between them. */
  public String uris() {
    return nodes.stream().map(RedisBackend::uri).collect(Collectors.joining(","));
  }

  /** What an instance of the service is told of it. */
  public Map<String, String> settings() {
    return Map.of(
        "SLUICE_REDIS_MODE",
        "cluster",
        "SLUICE_REDIS_URI",
        "redis://127.0.0.1:6379",
        "SLUICE_REDIS_URIS",
        uris());
  }

  public List<RedisBackend> nodes() {
    return List.copyOf(nodes);
  }

  /** The primary of this partition, as most of the nodes see it that can be asked. */
  public RedisBackend primaryOf(long partition) {
    Map<String, Integer> votes = new LinkedHashMap<>();
    for (RedisBackend node : nodes) {
      try {
        long slot = ClusterLines.slot(partition, node);
        ClusterLines.lines(node).stream()
            .filter(line -> ClusterLines.hasSlot(line, slot))
            .forEach(line -> votes.merge(line.split(" ")[1].split("@")[0], 1, Integer::sum));
      } catch (UncheckedIOException silent) {
        // It is killed or paused; the others tell.
      }
    }
    String most =
        votes.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
    return nodes.stream().filter(node -> node.uri().endsWith(most)).findFirst().orElseThrow();
  }

  /** The replica of this primary. */
  public RedisBackend replicaOf(RedisBackend primary) {
    String id = ClusterLines.id(primary);
    return nodes.stream()
        .filter(
            node ->
                node != primary
                    && node.running()
                    && ClusterLines.self(node).contains("slave " + id))
        .findFirst()
        .orElseThrow();
  }

  /** A primary with a replica, other than this one. */
  public RedisBackend primaryOtherThan(RedisBackend primary) {
    return nodes.stream()
        .filter(node -> node != primary && node.running() && node.goodReplicas() > 0)
        .findFirst()
        .orElseThrow();
  }

  /** Makes this replica the primary, as it is, and the primary its replica. */
  public void promote(RedisBackend replica) {
    replica.tell("CLUSTER FAILOVER TAKEOVER");
    awaitPromotion(replica);
  }

  /** Returns once this replica is a primary. */
  public void awaitPromotion(RedisBackend replica) {
    eventually("the replica is promoted")
        .until(() -> replica.tell("INFO replication").contains("role:master"));
  }

  /** Moves the slot of a partition with its keys, as operators do. */
  public void move(long partition, RedisBackend target) {
    RedisBackend source = primaryOf(partition);
    long slot = slot(partition);
    URI to = URI.create(target.uri());
    target.tell("CLUSTER SETSLOT %d IMPORTING %s".formatted(slot, ClusterLines.id(source)));
    source.tell("CLUSTER SETSLOT %d MIGRATING %s".formatted(slot, ClusterLines.id(target)));
    List<String> keys = keysIn(source, slot);
    while (!keys.isEmpty()) {
      for (String key : keys) {
        source.tell(
            "MIGRATE %s %d %s 0 %d".formatted(to.getHost(), to.getPort(), key, MIGRATE_LIMIT_MS));
      }
      keys = keysIn(source, slot);
    }
    for (RedisBackend node : List.of(target, source)) {
      node.tell("CLUSTER SETSLOT %d NODE %s".formatted(slot, ClusterLines.id(target)));
    }
  }

  private static List<String> keysIn(RedisBackend node, long slot) {
    return node.list("CLUSTER GETKEYSINSLOT %d %d".formatted(slot, KEYS_AT_ONCE));
  }

  /** How many keys of buckets of this SKU this node has. */
  public int keysOf(long skuId, RedisBackend node) {
    return node.list("KEYS *:{p*}:" + skuId + ":*").size();
  }

  /** Takes the slot of a partition from its primary: no node has it any more. */
  public void drop(long partition) {
    long slot = slot(partition);
    primaryOf(partition).tell("CLUSTER DELSLOTS " + slot);
    eventually("no node knows of slot " + slot)
        .until(() -> nodes.stream().allMatch(node -> forgets(node, slot)));
  }

  /** What its primary said of a slot before it was told may arrive late. */
  private static boolean forgets(RedisBackend node, long slot) {
    boolean knows =
        ClusterLines.lines(node).stream().anyMatch(line -> ClusterLines.hasSlot(line, slot));
    if (knows) {
      node.tell("CLUSTER DELSLOTS " + slot);
    }
    return !knows;
  }

  /** Gives a slot that no node has to this one. */
  public void give(long partition, RedisBackend node) {
    long slot = slot(partition);
    node.tell("CLUSTER ADDSLOTS " + slot);
    eventually("all nodes know of slot " + slot)
        .until(
            () ->
                nodes.stream()
                    .allMatch(
                        each ->
                            ClusterLines.lines(each).stream()
                                .anyMatch(line -> ClusterLines.hasSlot(line, slot))));
  }

  /**
   * A primary hears no more from the others, nor they from it, and its replica takes its place. Who
   * can call it still finds a primary that believes in the map of before.
   */
  public RedisBackend isolate(RedisBackend primary) {
    RedisBackend replica = replicaOf(primary);
    for (RedisBackend other : nodes) {
      if (other != primary) {
        primary.tell("CLUSTER FORGET " + ClusterLines.id(other));
      }
    }
    promote(replica);
    return replica;
  }

  /** The end of {@link #isolate}: the primary finds that it has been replaced, and follows. */
  public void reunite(RedisBackend isolated) {
    nodes.stream().filter(node -> node != isolated).forEach(node -> meet(node, isolated));
    eventually("the former primary follows")
        .until(() -> isolated.tell("INFO replication").contains("master_link_status:up"));
  }

  private long slot(long partition) {
    return ClusterLines.slot(partition, nodes.get(nodes.size() - 1));
  }

  private static ConditionFactory eventually(String what) {
    return await(what).atMost(LIMIT).pollInterval(Duration.ofMillis(50)).ignoreExceptions();
  }

  /** Ends all nodes. */
  @Override
  public void close() {
    nodes.forEach(RedisBackend::close);
  }
}
