package io.sluice.stock.redis;

import io.micrometer.core.instrument.Timer;
import io.sluice.async.TimeLimit;
import io.sluice.metrics.Meters;
import io.sluice.metrics.ProcessMeters.Rare;
import io.sluice.monitor.Alarm;
import io.sluice.stock.StockStore.Stamp;
import io.sluice.stock.StockUnavailableException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One event loop's connection to a Redis, or to a primary of a cluster. Runs scripts by their hash,
 * each call within {@code redis.timeout_ms}. Calls of a script that arrive while its EVALSHA is in
 * flight share the next one.
 *
 * <p>A failed Future has a {@link StockUnavailableException}; the script may or may not have run.
 */
final class RedisNode implements RedisLink.Checks {
  /**
   * The maximum number of calls without a reply, sent or not; over it calls fail (back-pressure).
   */
  static final int OPEN_MAX = 1_024;

  /** The maximum number of these that only read; the rest is kept free for grants. */
  static final int QUESTIONS_MAX = OPEN_MAX / 2;

  private static final Set<LuaScript> QUESTIONS =
      EnumSet.of(
          LuaScript.LOOKUP,
          LuaScript.SNAPSHOT,
          LuaScript.TOKENS,
          LuaScript.OVERDUE,
          LuaScript.QUIET);

  private static final StockUnavailableException FULL =
      new StockUnavailableException("Too many calls wait for Redis", null);

  /** Errors after which the map of a cluster is read again. */
  private static final List<String> ELSEWHERE =
      List.of("MOVED", "ASK", "TRYAGAIN", "CLUSTERDOWN", "READONLY", "NOREPLICAS");

  /** Errors after which the connection is replaced, and the new one checked. */
  private static final List<String> UNFIT =
      List.of("READONLY", "MISCONF", "NOPERM", "ACL failure", "user executing the script");

  private static final String FULL_MEMORY = "OOM";
  private static final String CANNOT_SAVE = "MISCONF";
  private static final Logger log = LoggerFactory.getLogger(RedisNode.class);

  private record Timed(LuaBatcher calls, Timer timer) {}

  /**
   * The calls that share one EVALSHA: of a Redis that lets one script use the keys of all
   * partitions all calls, in a cluster those of one partition.
   */
  class Lane {
    private final int partition;
    private final Map<LuaScript, Timed> byScript = new EnumMap<>(LuaScript.class);
    private final StampReader stamps = new StampReader(RedisNode.this::info, this::writeInVain);

    /**
     * @param partition one of those whose calls these are
     */
    Lane(int partition) {
      this.partition = partition;
    }

    private Timed of(LuaScript script) {
      Timed calls = byScript.get(script);
      if (calls == null) {
        calls =
            new Timed(
                new LuaBatcher(RedisNode.this::send, timeoutMs, link::promise, System::nanoTime),
                meters.redisCall(script.fileName()));
        byScript.put(script, calls);
      }
      return calls;
    }

    /**
     * Runs the script once. Over {@link #OPEN_MAX} calls, or {@link #QUESTIONS_MAX} reading ones,
     * it fails at once.
     */
    Future<Response> run(LuaCall call) {
      LuaCall complete = call.complete();
      boolean isQuestion = QUESTIONS.contains(call.script());
      if (open >= OPEN_MAX || (isQuestion && questions >= QUESTIONS_MAX)) {
        meters.count(Rare.REDIS_CALLS_FAILED);
        return Future.failedFuture(FULL);
      }
      Timed timed = of(call.script());
      open++;
      questions += isQuestion ? 1 : 0;
      Timer.Sample sample = Timer.start(meters.registry());
      return explained(timed.calls().add(complete), call.script().fileName())
          .onComplete(
              ended -> {
                open--;
                questions -= isQuestion ? 1 : 0;
                sample.stop(timed.timer());
              });
    }

    /** Sends a command whose keys, if it has any, are those of the partition. */
    Future<Response> send(Request request) {
      return RedisNode.this.send(request);
    }

    Future<RedisInfo> info() {
      return RedisNode.this.info();
    }

    /** See {@link io.sluice.stock.StockStore#stamp}. */
    Future<Stamp> stamp() {
      return stamps.read();
    }

    /** See {@link RedisSettings#replicaLag(RedisConnection)}. */
    Future<Duration> replicaLag() {
      return explained(TimeLimit.of(timeoutMs, link.converse(settings::replicaLag)), "replica lag");
    }

    /** Writes to keys that no SKU has, and deletes them. */
    private Future<Void> writeInVain() {
      RedisPermissions.Mark none = new RedisPermissions.Mark(StockKeys.ledger(partition), "");
      RedisPermissions tried =
          new RedisPermissions(RedisPermissions.nobodysKeys(partition), none, false, true);
      return explained(TimeLimit.of(timeoutMs, link.converse(tried::check)), "command").mapEmpty();
    }
  }

  private final RedisConnector connector;
  private final RedisLink link;
  private final RedisSettings settings;
  private final Meters meters;
  private final boolean isOfCluster;
  private final Lane common;
  private final Map<Integer, Lane> byPartition = new HashMap<>();
  private final int timeoutMs;
  private int open;
  private int questions;
  private Future<Void> started = Future.succeededFuture();

  /** Why Redis refuses writes, in its words; empty: it takes them. */
  private volatile String refusal = "";

  RedisNode(Vertx vertx, RedisConnector connector, Meters meters) {
    this.link = new RedisLink(vertx, connector, meters, this);
    this.connector = connector;
    this.settings = connector.settings();
    this.meters = meters;
    this.timeoutMs = connector.timeoutMs();
    this.isOfCluster = connector.cluster().isPresent();
    this.common = new Lane(0);
    for (LuaScript script : LuaScript.values()) {
      Timed ignored = common.of(script);
    }
  }

  /** The calls of this partition. */
  Lane of(int partition) {
    return isOfCluster ? byPartition.computeIfAbsent(partition, Lane::new) : common;
  }

  /** Connects; see {@link RedisLink#start}. */
  Future<Void> start() {
    started = link.start();
    return started;
  }

  /** The end of the first attempt to connect. */
  Future<Void> started() {
    return started;
  }

  Future<Void> close() {
    return link.close();
  }

  boolean isUp() {
    return link.isUp();
  }

  /**
   * Whether an instance could work with this Redis, on a connection that is closed afterwards. One
   * of another ledger is left as it is.
   */
  static Future<Void> probe(RedisConnector connector) {
    RedisSettings settings = connector.settings();
    return connector
        .once(
            connection ->
                settings
                    .check(connection, true)
                    .compose(fit -> permissions(connector, false, true).check(connection))
                    .compose(ours -> loadScripts(connection)))
        .recover(cause -> Future.failedFuture(RedisFailures.classified(cause)));
  }

  Future<RedisInfo> info() {
    return send(Request.cmd(Command.INFO)).map(reply -> new RedisInfo(reply.toString()));
  }

  Future<Response> send(Request request) {
    return explained(TimeLimit.of(timeoutMs, link.send(request)), "command");
  }

  /**
   * Falls back to the script's text: a flush or a fail-over empties the script cache while the
   * connection stays.
   */
  private Future<Response> send(List<LuaCall> calls) {
    return link.send(LuaCall.evalSha(calls))
        .recover(
            cause ->
                RedisFailures.isErrorReply(cause, "NOSCRIPT")
                    ? link.send(LuaCall.eval(calls))
                    : Future.failedFuture(cause));
  }

  private <T> Future<T> explained(Future<T> reply, String what) {
    return reply.recover(
        cause -> {
          meters.count(Rare.REDIS_CALLS_FAILED);
          if (UNFIT.stream().anyMatch(kind -> RedisFailures.isErrorReply(cause, kind))) {
            link.replace(cause);
          }
          if (isElsewhere(cause)) {
            connector.doubt();
          }
          return Future.failedFuture(
              cause instanceof StockUnavailableException
                  ? cause
                  : new StockUnavailableException(
                      what + ": " + cause.getMessage(),
                      cause,
                      RedisFailures.isErrorReply(cause, "OOM")));
        });
  }

  /**
   * Checks the server, tries what the scripts need, and loads every one. Nothing is written where
   * another ledger is named.
   */
  @Override
  public Future<?> greet(RedisConnection connection) {
    return settings
        .check(connection, true)
        .compose(fit -> check(connection, true))
        .compose(ours -> loadScripts(connection));
  }

  /**
   * While connections stay open replicas may be added and removed, a primary may be demoted, and
   * settings and permissions may change. A Redis that cannot save may begin to refuse writes, and a
   * file that was restored may name another ledger.
   */
  @Override
  public Future<?> look(RedisConnection connection) {
    return settings.check(connection, false).compose(fit -> check(connection, false));
  }

  /** The slot of the keys that no SKU has may be at another node by now: nothing is known then. */
  private Future<Void> check(RedisConnection connection, boolean writes) {
    return permissions(connector, true, writes)
        .check(connection)
        .compose(RedisNode::withoutCannotSave)
        .onSuccess(this::refuses)
        .<Void>mapEmpty()
        .recover(
            cause -> {
              if (!isElsewhere(cause)) {
                return Future.failedFuture(cause);
              }
              connector.doubt();
              return Future.succeededFuture();
            });
  }

  /**
   * A Redis that cannot save refuses all writes until an operator helps it: its connection is of no
   * use. An instance starts beside it all the same.
   */
  private static Future<String> withoutCannotSave(String refusal) {
    return refusal.contains(CANNOT_SAVE)
        ? Future.failedFuture(
            new UnfitRedisException("Expected Redis to take writes, but it says: " + refusal))
        : Future.succeededFuture(refusal);
  }

  private static RedisPermissions permissions(
      RedisConnector connector, boolean names, boolean writes) {
    return new RedisPermissions(connector.nobodysKeys(), connector.mark(), names, writes);
  }

  /** A Redis out of memory keeps its connections: orders that exist go on, and units come back. */
  private void refuses(String why) {
    if (why.contains(FULL_MEMORY) && !refusal.contains(FULL_MEMORY)) {
      Alarm.REDIS_UNFIT.raise(
          log.atError()
              .addKeyValue("redis", link.aim())
              .addKeyValue("reason", "memory is full")
              .addKeyValue("cause", "Expected Redis to have memory left, but it says: " + why));
    }
    refusal = why;
  }

  private static boolean isElsewhere(Throwable cause) {
    return ELSEWHERE.stream().anyMatch(kind -> RedisFailures.isErrorReply(cause, kind));
  }

  /** Why this Redis cannot be written to, in words for anyone; empty: it can. From any thread. */
  String outage() {
    if (!isUp()) {
      return link.reason();
    }
    if (refusal.contains(FULL_MEMORY)) {
      return "its memory is full";
    }
    return refusal.isEmpty() ? "" : "it refuses writes";
  }

  private static Future<Void> loadScripts(RedisConnection connection) {
    List<Future<Response>> loads = new ArrayList<>();
    for (LuaScript script : LuaScript.values()) {
      loads.add(connection.send(Request.cmd(Command.SCRIPT, "LOAD", script.source())));
    }
    return Future.all(loads).mapEmpty();
  }
}
