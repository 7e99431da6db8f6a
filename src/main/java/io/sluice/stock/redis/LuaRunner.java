package io.sluice.stock.redis;

import io.micrometer.core.instrument.Timer;
import io.sluice.async.TimeLimit;
import io.sluice.metrics.Meters;
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
      EnumSet.of(LuaScript.LOOKUP, LuaScript.SNAPSHOT, LuaScript.TOKENS, LuaScript.OVERDUE);

  private static final StockUnavailableException FULL =
      new StockUnavailableException("Too many calls wait for Redis", null);

  private record Timed(LuaBatcher lane, Timer timer) {}

  private final RedisLink link;
  private final RedisSettings settings;
  private final Meters meters;
  private final Map<LuaScript, Timed> lanes = new EnumMap<>(LuaScript.class);
  private final int timeoutMs;
  private int open;
  private int questions;

  LuaRunner(Vertx vertx, RedisConnector connector, Meters meters) {
    this.link = new RedisLink(vertx, connector, meters, this);
    this.settings = new RedisSettings(connector.replicaLag());
    this.meters = meters;
    this.timeoutMs = connector.timeoutMs();
    for (LuaScript script : LuaScript.values()) {
      LuaBatcher lane = new LuaBatcher(this::send, timeoutMs, link::promise, System::nanoTime);
      lanes.put(script, new Timed(lane, meters.redisCall(script.fileName())));
    }
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

  /** Whether an instance could work with this Redis, on a connection that is closed afterwards. */
  static Future<Void> probe(RedisConnector connector) {
    RedisSettings settings = new RedisSettings(connector.replicaLag());
    return connector
        .once(
            connection ->
                settings
                    .check(connection)
                    .compose(fit -> loadScripts(connection))
                    .compose(loaded -> RedisPermissions.check(connection)))
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
    LuaCall complete = call.complete();
    Timed lane = lanes.get(call.script());
    boolean isQuestion = QUESTIONS.contains(call.script());
    if (lane == null || open >= OPEN_MAX || (isQuestion && questions >= QUESTIONS_MAX)) {
      meters.redisCallFailed();
      return Future.failedFuture(FULL);
    }
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
  Future<Void> writeInVain() {
    return explained(TimeLimit.of(timeoutMs, link.converse(RedisPermissions::check)), "command");
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
          if (RedisFailures.isErrorReply(cause, "READONLY")) {
            link.replace(cause);
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

  /** Checks the server, then loads every script. */
  @Override
  public Future<?> greet(RedisConnection connection) {
    return settings.check(connection).compose(v -> loadScripts(connection));
  }

  /**
   * Replicas may be added and removed, and a primary may be demoted, while connections stay open.
   */
  @Override
  public Future<?> look(RedisConnection connection) {
    return settings.replicaLag(connection);
  }

  private static Future<Void> loadScripts(RedisConnection connection) {
    List<Future<Response>> loads = new ArrayList<>();
    for (LuaScript script : LuaScript.values()) {
      loads.add(connection.send(Request.cmd(Command.SCRIPT, "LOAD", script.source())));
    }
    return Future.all(loads).mapEmpty();
  }
}
