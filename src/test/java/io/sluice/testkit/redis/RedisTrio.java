package io.sluice.testkit.redis;

import static org.awaitility.Awaitility.await;

import io.sluice.testkit.fault.FaultProxy;
import io.sluice.testkit.server.ServerOptions;
import java.time.Duration;

/**
 * Three Redis servers: a primary, its replica, and a spare that becomes the replica of a promoted
 * one. A primary takes writes only while a replica follows it. Roles are set by command, so that a
 * restarted primary is a primary again.
 *
 * <p>Callers of Redis must be redirected by the test, e.g. with {@link FaultProxy#aimAt}.
 */
public final class RedisTrio implements AutoCloseable {
  /** A server and its proxy, through which replicas reach it. */
  private record Node(RedisBackend server, FaultProxy front) {
    static Node of(RedisBackend server) {
      return new Node(server, FaultProxy.inFrontOf(server.uri()));
    }

    void follow(Node other) {
      server.follow(other.front.uri());
    }
  }

  private static final int LAG_S = 2;
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private Node primary;
  private Node replica;
  private Node spare;

  private RedisTrio(RedisBackend first) {
    primary = Node.of(first);
    replica = Node.of(first.startAnother());
    spare = Node.of(first.startAnother());
    replica.follow(primary);
    awaitWritable();
  }

  /** Adds the settings that each of the three needs. */
  public static ServerOptions settings(ServerOptions options) {
    return options
        .withRedis("min-replicas-to-write", "1")
        .withRedis("min-replicas-max-lag", String.valueOf(LAG_S))
        .withRedis("repl-diskless-sync-delay", "0");
  }

  /** Takes a Redis that runs with {@link #settings}; it is the first primary. */
  public static RedisTrio of(RedisBackend first) {
    return new RedisTrio(first);
  }

  public synchronized RedisBackend primary() {
    return primary.server();
  }

  /** From now on the replica misses all writes, and neither side learns about the other. */
  public synchronized void fallBehind() {
    primary.front().part();
  }

  /** Promotes the replica as it is, and makes the primary a replica of it. */
  public synchronized void demote() {
    replica.server().promote();
    primary.follow(replica);
    await("the demoted primary follows").atMost(LIMIT).until(primary.server()::follows);
  }

  /** Makes the demoted primary a primary again: the same process with its replica's data. */
  public synchronized void promoteBack() {
    primary.server().promote();
    primary.front().heal();
    replica.follow(primary);
    awaitWritable();
  }

  /**
   * Promotes the replica and gives it the spare as its replica. The old primary keeps running, cut
   * off from both, until {@link #retire}: callers that still reach it can write as long as its lag
   * allows.
   */
  public synchronized void replace() {
    primary.front().part();
    replica.server().promote();
    Node isolated = primary;
    primary = replica;
    replica = spare;
    spare = isolated;
    replica.follow(primary);
    awaitWritable();
  }

  /** Ends the primary left behind by {@link #replace}, and restarts it empty, as the spare. */
  public synchronized void retire() {
    RedisBackend old = spare.server();
    old.kill();
    spare.front().heal();
    old.wipe();
    old.start();
  }

  private void awaitWritable() {
    await("the primary has a replica")
        .atMost(LIMIT)
        .until(() -> replica.server().follows() && primary.server().goodReplicas() > 0);
  }

  /** Ends the two servers started later; the first belongs to whoever started it. */
  @Override
  public synchronized void close() {
    for (Node node : new Node[] {primary, replica, spare}) {
      node.front().close();
      node.server().close();
    }
  }
}
