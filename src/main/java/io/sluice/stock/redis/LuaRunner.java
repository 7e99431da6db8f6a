package io.sluice.stock.redis;

import io.micrometer.core.instrument.Timer;
import io.sluice.async.TimeLimit;
import io.sluice.metrics.Meters;
import io.sluice.monitor.Alarm;
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
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs scripts by their hash, each call within {@code redis.timeout_ms}. Calls of a script that
 * arrive while its EVALSHA is in flight share the next one.
 *
 * <p>A failed Future has a {@link StockUnavailableException}; the script may or may not have run.
 */
final class LuaRunner implements RedisLink.Checks {
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
  private static final Logger log = LoggerFactory.getLogger(LuaRunner.class);

  private record Timed(LuaBatcher lane, Timer timer) {}

  /** The calls that share one EVALSHA: in a cluster those of one partition, else all. */
  final class Lanes {
    private final Map<LuaScript, Timed> byScript = new EnumMap<>(LuaScript.class);

    private Timed of(LuaScript script) {
      Timed lane = byScript.get(script);
      if (lane == null) {
        lane =
            new Timed(
                new LuaBatcher(LuaRunner.this::send, timeoutMs, link::promise, System::nanoTime),
                meters.redisCall(script.fileName()));
        byScript.put(script, lane);
      }
      return lane;
    }
  }

  private final RedisConnector connector;
  private final RedisLink link;
  private final RedisSettings settings;
  private final Meters meters;
  private final Lanes common = new Lanes();
  private final int timeoutMs;
  private int open;
  private int questions;

  /** Why Redis refuses writes, in its words; empty: it takes them. */
  private volatile String refusal = "";

  LuaRunner(Vertx vertx, RedisConnector connector, Meters meters) {
    this.link = new RedisLink(vertx, connector, meters, this);
    this.connector = connector;
    this.settings = connector.settings();
    this.meters = meters;
    this.timeoutMs = connector.timeoutMs();
    for (LuaScript script : LuaScript.values()) {
      common.of(script);
    }
  }

  /** The lanes of all calls that may share an EVALSHA with any others. */
  Lanes common() {
    return common;
  }

  /** Lanes in addition to the common ones, for calls that must not share an EVALSHA with others. */
  Lanes newLanes() {
    return new Lanes();
  }

  /** Connects; see {@link RedisLink#start}. */
  Future<Void> start() {
    return link.start();
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
                    .compose(fit -> glance(connector, connection, false))
                    .compose(ours -> loadScripts(connection))
                    .compose(loaded -> RedisPermissions.check(connection, connector.nobodysKeys())))
        .recover(cause -> Future.failedFuture(RedisFailures.classified(cause)));
  }

  /** See {@link RedisSettings#replicaLag(RedisConnection)}. */
  Future<Duration> replicaLag() {
    return explained(TimeLimit.of(timeoutMs, link.converse(settings::replicaLag)), "replica lag");
  }

  /**
   * Runs the script once. Over {@link #OPEN_MAX} calls, or {@link #QUESTIONS_MAX} reading ones, it
   * fails at once.
   */
  Future<Response> run(LuaCall call) {
    return run(common, call);
  }

  /** The same in other lanes of this runner. */
  Future<Response> run(Lanes lanes, LuaCall call) {
    LuaCall complete = call.complete();
    boolean isQuestion = QUESTIONS.contains(call.script());
    if (open >= OPEN_MAX || (isQuestion && questions >= QUESTIONS_MAX)) {
      meters.redisCallFailed();
      return Future.failedFuture(FULL);
    }
    Timed lane = lanes.of(call.script());
    open++;
    questions += isQuestion ? 1 : 0;
    Timer.Sample sample = Timer.start(meters.registry());
    return explained(lane.lane().add(complete), call.script().fileName())
        .onComplete(
            ended -> {
              open--;
              questions -= isQuestion ? 1 : 0;
              sample.stop(lane.timer());
            });
  }

  /** The whole of INFO. */
  Future<String> info() {
    return send(Request.cmd(Command.INFO)).map(Response::toString);
  }

  /** Writes to keys that no SKU has, and deletes them. */
  Future<Void> writeInVain(StockKeys keys) {
    return explained(
        TimeLimit.of(
            timeoutMs, link.converse(connection -> RedisPermissions.check(connection, keys))),
        "command");
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
          meters.redisCallFailed();
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
   * Checks the server, loads every script, and tries what they need. Nothing is written where
   * another ledger is named.
   */
  @Override
  public Future<?> greet(RedisConnection connection) {
    return settings
        .check(connection, true)
        .compose(fit -> glance(connection))
        .compose(ours -> loadScripts(connection))
        .compose(loaded -> tried(RedisPermissions.check(connection, connector.nobodysKeys())));
  }

  /**
   * While connections stay open replicas may be added and removed, a primary may be demoted, and
   * settings and permissions may change. A Redis that cannot save may begin to refuse writes, and a
   * file that was restored may name another ledger.
   */
  @Override
  public Future<?> look(RedisConnection connection) {
    return settings.check(connection, false).compose(fit -> glance(connection));
  }

  private Future<Void> glance(RedisConnection connection) {
    return tried(
        glance(connector, connection, true)
            .compose(RedisPermissions.Seen::expectFit)
            .onSuccess(this::refuses)
            .mapEmpty());
  }

  private static Future<RedisPermissions.Seen> glance(
      RedisConnector connector, RedisConnection connection, boolean names) {
    return RedisPermissions.glance(connection, connector.nobodysKeys(), connector.mark(), names);
  }

  /** The slot of the keys that no SKU has may be at another node by now: nothing is known then. */
  private Future<Void> tried(Future<Void> attempt) {
    return attempt.recover(
        cause -> {
          if (!isElsewhere(cause)) {
            return Future.failedFuture(cause);
          }
          connector.doubt();
          return Future.succeededFuture();
        });
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
