package io.sluice.stock;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.micrometer.core.instrument.Timer;
import io.sluice.config.RedisConfig;
import io.sluice.metrics.Meters;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Runs scripts by their hash, each call within {@code redis.timeout_ms}.
 *
 * <p>A failed Future carries a {@link StockUnavailableException}, and the script may or may not
 * have run.
 */
final class LuaRunner {
  private final RedisLink link;
  private final Meters meters;
  private final Map<LuaScript, Timer> timers = new EnumMap<>(LuaScript.class);
  private final int timeoutMs;

  LuaRunner(Vertx vertx, RedisConfig config, Meters meters) {
    this.link = new RedisLink(vertx, config, meters, LuaRunner::greet);
    this.meters = meters;
    this.timeoutMs = config.timeoutMs();
    for (LuaScript script : LuaScript.values()) {
      timers.put(script, meters.redisCall(script.fileName()));
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

  Future<Void> checkSettings() {
    return link.converse(RedisSettings::check).timeout(timeoutMs, MILLISECONDS);
  }

  /** Runs the script, once. */
  Future<Response> run(LuaCall call) {
    Timer.Sample sample = Timer.start(meters.registry());
    LuaScript script = call.script();
    Future<Response> reply = link.send(call.evalSha()).recover(cause -> runByText(call, cause));
    return bounded(reply, script.fileName()).onComplete(r -> sample.stop(timers.get(script)));
  }

  /** Sends a plain command. */
  Future<Response> send(Request request) {
    return bounded(link.send(request), "command");
  }

  /**
   * The cache of scripts is volatile: a flush or a fail-over empties it while the connection stays.
   */
  private Future<Response> runByText(LuaCall call, Throwable cause) {
    return RedisSettings.isErrorReply(cause, "NOSCRIPT")
        ? link.send(call.eval())
        : Future.failedFuture(cause);
  }

  private Future<Response> bounded(Future<Response> reply, String what) {
    return reply
        .timeout(timeoutMs, MILLISECONDS)
        .recover(
            cause -> {
              meters.redisCallFailed();
              if (RedisSettings.isErrorReply(cause, "READONLY")) {
                link.replace(cause);
              }
              return Future.failedFuture(
                  cause instanceof StockUnavailableException
                      ? cause
                      : new StockUnavailableException(what + ": " + cause.getMessage(), cause));
            });
  }

  /** Checks the server, then makes it know every script. */
  private static Future<Void> greet(RedisConnection connection) {
    return RedisSettings.check(connection).compose(v -> loadScripts(connection));
  }

  private static Future<Void> loadScripts(RedisConnection connection) {
    List<Future<Response>> loads = new ArrayList<>();
    for (LuaScript script : LuaScript.values()) {
      loads.add(connection.send(Request.cmd(Command.SCRIPT, "LOAD", script.source())));
    }
    return Future.all(loads).mapEmpty();
  }
}
