package io.sluice.testkit.redis;

import static org.awaitility.Awaitility.await;

import io.sluice.testkit.fault.FaultProxy;
import java.time.Duration;

/**
 * A Redis with one replica that it reaches through a proxy, and what operators and fail-overs do to
 * such a pair. The primary takes writes only while its replica follows.
 *
 * <p>Each method returns when its change is in place. Callers of Redis must be redirected by the
 * test, e.g. with {@link FaultProxy#aimAt}.
 */
public final class RedisPair implements AutoCloseable {
  /** After the lag Redis itself needs this long until it refuses writes, with a margin. */
  public static final Duration SLACK = Duration.ofSeconds(2);

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final RedisBackend primary;
  private final RedisBackend replica;
  private final FaultProxy link;
  private final Duration lag;

  private RedisPair(RedisBackend primary, Duration lag) {
    this.primary = primary;
    this.lag = lag;
    this.link = FaultProxy.inFrontOf(primary.uri());
    primary.configure("repl-diskless-sync-delay", "0");
    primary.configure("min-replicas-max-lag", String.valueOf(lag.toSeconds()));
    primary.configure("min-replicas-to-write", "1");
    this.replica = primary.startReplica(link.uri());
    replica.configure("repl-diskless-sync-delay", "0");
    replica.configure("min-replicas-max-lag", String.valueOf(lag.toSeconds()));
    awaitFollowing(replica);
    awaitWritable(primary);
  }

  /**
   * Gives this Redis a replica, and makes it refuse writes once the replica has been silent for
   * longer than {@code lag}, in whole seconds.
   */
  public static RedisPair of(RedisBackend primary, Duration lag) {
    return new RedisPair(primary, lag);
  }

  public RedisBackend replica() {
    return replica;
  }

  /** Returns once the replica has everything that the primary has written so far. */
  public void awaitInStep() {
    long written = primary.offset();
    await("the replica is in sync").atMost(LIMIT).until(() -> replica.offset() >= written);
  }

  /** Cuts the replica off, so that it misses all further writes. */
  public void cutOff() {
    link.stall();
  }

  /**
   * Makes the primary a replica of its replica, and a primary again: the same process, with the
   * same run id, without the writes that the replica has missed.
   */
  public void demoteAndPromoteBack() {
    demote();
    promoteBack();
  }

  /** The first half: the replica becomes the primary, and the primary takes over its data. */
  public void demote() {
    promoteReplica();
    primary.follow(replica.uri());
    awaitFollowing(primary);
  }

  /** The second half: the original roles, with the replica's data. */
  public void promoteBack() {
    primary.promote();
    replica.follow(link.uri());
    link.heal();
    awaitFollowing(replica);
    awaitWritable(primary);
  }

  /**
   * Makes the replica a primary that takes writes without a replica. The old one keeps running as a
   * primary: it gets no more acknowledgements from its replica, and refuses writes {@link
   * #isolationLimit()} later.
   */
  public void promoteReplica() {
    replica.promote();
  }

  /** How long after {@link #cutOff} the old primary may still take writes. */
  public Duration isolationLimit() {
    return lag.plus(SLACK);
  }

  /** Whether the primary refuses writes because its replica is missing. */
  public boolean isPrimaryIsolated() {
    return primary.goodReplicas() == 0;
  }

  private static void awaitFollowing(RedisBackend follower) {
    await(follower.describe() + " follows").atMost(LIMIT).until(follower::follows);
  }

  private static void awaitWritable(RedisBackend leader) {
    await(leader.describe() + " has a replica")
        .atMost(LIMIT)
        .until(() -> leader.goodReplicas() > 0);
  }

  /**
   * Ends the replica; the primary is alone again, and takes writes. It still reports that it once
   * followed another Redis, so every rebuild waits for the lag: the shortest is set here.
   */
  @Override
  public void close() {
    try (link;
        replica) {
      primary.promote();
    }
    primary.configure("min-replicas-to-write", "0");
    primary.configure("min-replicas-max-lag", "1");
  }
}
