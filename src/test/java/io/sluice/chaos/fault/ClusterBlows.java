package io.sluice.chaos.fault;

import io.sluice.testkit.redis.RedisBackend;
import io.sluice.testkit.redis.RedisCluster;
import java.util.EnumSet;
import java.util.Set;

/**
 * The faults of Redis where it is a cluster: each befalls the primary of one partition, and the
 * next one waits until all replicas follow again.
 */
record ClusterBlows(RedisCluster cluster, int partitions) {
  /** What is left out: files and clocks of a node, and connections, which no proxy is in. */
  static final Set<FaultKind> IMPOSSIBLE =
      EnumSet.of(
          FaultKind.REDIS_EMPTIED,
          FaultKind.REDIS_AGED,
          FaultKind.REDIS_CLOCK_STEPPED,
          FaultKind.LINK_STALLED,
          FaultKind.LINK_CUT,
          FaultKind.LINK_DEAF,
          FaultKind.LINK_SLOW);

  Blow of(Fault fault) {
    int partition = fault.number() % partitions;
    RedisBackend primary = cluster.primaryOf(partition);
    Blow blow =
        switch (fault.kind()) {
          case REDIS_KILLED -> Blow.of(primary::kill, primary::start);
          case REDIS_PAUSED -> Blow.of(primary::pause, primary::resume);
          case REDIS_DEMOTED ->
              Blow.of(
                  () -> cluster.promote(cluster.replicaOf(primary)),
                  () -> cluster.promote(primary));
          case REDIS_REPLACED ->
              Blow.of(() -> cluster.isolate(primary), () -> cluster.reunite(primary));
          case REDIS_KEY_DELETED -> RedisKeyBlows.deleted(primary, fault.number());
          case REDIS_ACL_NARROWED -> RedisKeyBlows.denied(primary, fault.number());
          case SLOT_MOVED -> moved(partition, primary);
          default -> throw new IllegalArgumentException("not a fault of a cluster: " + fault);
        };
    return blow.andAfter(cluster::awaitWhole);
  }

  /** To another primary, and back. */
  private Blow moved(int partition, RedisBackend primary) {
    return Blow.of(
        () -> cluster.move(partition, cluster.primaryOtherThan(primary)),
        () -> cluster.move(partition, primary));
  }
}
