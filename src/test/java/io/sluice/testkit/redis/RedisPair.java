package io.sluice.testkit.redis;

import static org.awaitility.Awaitility.await;

import io.sluice.testkit.fault.FaultProxy;
import java.time.Duration;

/**
 * A Redis and one replica of it that is reached through a proxy, and what operators and fail-overs
 * do to such a pair. The primary takes writes only while its replica follows.
 *
 * <p>Each method returns when what it names is so. The callers of Redis are not led elsewhere: that
 * is the caller's business, e.g. with {@link FaultProxy#aimAt}.
 */
public final class RedisPair implements AutoCloseable {
  /** After the lag Redis itself needs this long until it refuses writes, and some more. */
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
   * Gives this Redis a replica, and has it refuse writes once that has not been heard of for longer
   * than {@code lag}, in whole seconds.
   */
  public static RedisPair of(RedisBackend primary, Duration lag) {
    return new RedisPair(primary, lag);
  }

  public RedisBackend replica() {
    return replica;
  }

  /** Returns once the replica has all that the primary wrote so far. */
  public void awaitInStep() {
    long written = primary.offset();
    await("the replica has it all").atMost(LIMIT).until(() -> replica.offset() >= written);
  }

  /** Lets nothing reach the replica any more, so that it misses what is written from now on. */
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

  /** The first half: the replica is the primary now, and the primary has what the replica has. */
  public void demote() {
    promoteReplica();
    primary.follow(replica.uri());
    awaitFollowing(primary);
  }

  /** The second half: as in the beginning, with what the replica had. */
  public void promoteBack() {
    primary.promote();
    replica.follow(link.uri());
    link.heal();
    awaitFollowing(replica);
    awaitWritable(primary);
  }

  /**
   * Makes the replica a primary that takes writes with nobody behind it. The old one runs on as a
   * primary: it hears of its replica no more, and refuses writes {@link #isolationLimit()} later.
   */
  public void promoteReplica() {
    replica.promote();
  }

  /** How long after {@link #cutOff} the old primary may still take writes. */
  public Duration isolationLimit() {
    return lag.plus(SLACK);
  }

  /** Whether the primary refuses writes for want of a replica. */
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
   * Ends the replica; the primary is on its own again, and takes writes. It goes on telling that it
   * once followed another, so that every rebuild waits for the lag: the shortest is left behind.
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
