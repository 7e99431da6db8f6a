package io.sluice.stock;

import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.ResponseType;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks that a Redis is fit to hold stock: it takes writes, evicts nothing, lets one script use
 * the keys of several buckets, and, where it has replicas, does not confirm writes that no replica
 * has.
 */
final class RedisSettings {
  private static final Logger LOG = LoggerFactory.getLogger(RedisSettings.class);
  private static final Pattern REPLICAS = Pattern.compile("connected_slaves:([0-9]+)");
  private static final String POLICY = "maxmemory-policy";
  private static final String REPLICAS_MIN = "min-replicas-to-write";

  private RedisSettings() {}

  /** Fails with a message for the operator where this Redis is not fit. */
  static Future<Void> check(RedisConnection connection) {
    return connection
        .send(Request.cmd(Command.INFO))
        .compose(
            reply -> {
              String info = reply.toString();
              // A node of a cluster refuses a script whose keys are in several slots, and only
              // then.
              if (info.contains("redis_mode:cluster")) {
                return unfit("Expected a Redis of its own, but it is a node of a cluster");
              }
              if (info.contains("role:slave")) {
                return unfit("Expected a Redis that takes writes, but it is a replica of another");
              }
              Matcher replicas = REPLICAS.matcher(info);
              return checkPolicy(connection)
                  .compose(
                      v ->
                          checkReplicas(
                              connection, replicas.find() && !replicas.group(1).equals("0")));
            });
  }

  private static Future<Void> checkPolicy(RedisConnection connection) {
    return setting(connection, POLICY)
        .compose(
            policy ->
                policy == null || policy.equals("noeviction")
                    ? Future.succeededFuture()
                    : unfit(
                        "Expected Redis setting "
                            + POLICY
                            + " to be noeviction, but it is "
                            + policy));
  }

  private static Future<Void> checkReplicas(RedisConnection connection, boolean hasReplicas) {
    if (!hasReplicas) {
      return Future.succeededFuture();
    }
    return setting(connection, REPLICAS_MIN)
        .compose(
            min ->
                min == null || !min.equals("0")
                    ? Future.succeededFuture()
                    : unfit(
                        "Expected Redis with replicas to have "
                            + REPLICAS_MIN
                            + " of at least 1, but it is 0"));
  }

  /**
   * The value of a setting, or null where this Redis does not show it: managed ones may forbid
   * CONFIG.
   */
  private static Future<@Nullable String> setting(RedisConnection connection, String name) {
    return connection
        .send(Request.cmd(Command.CONFIG, "GET", name))
        .map(reply -> reply.containsKey(name) ? reply.get(name).toString() : null)
        .recover(
            cause -> {
              if (!isErrorReply(cause)) {
                return Future.failedFuture(cause);
              }
              LOG.atWarn()
                  .addKeyValue("setting", name)
                  .addKeyValue("reply", cause.getMessage())
                  .log("Redis does not show its settings; they are taken to be right");
              return Future.succeededFuture();
            });
  }

  /** Whether Redis answered, with an error; otherwise the connection failed. */
  private static boolean isErrorReply(Throwable cause) {
    return cause instanceof Response reply && reply.type() == ResponseType.ERROR;
  }

  /**
   * Whether Redis answered with an error of this kind, e.g. {@code READONLY}. Redis 6 wraps what
   * comes from inside a script: {@code ERR Error running script ...: -READONLY ...}.
   */
  static boolean isErrorReply(Throwable cause, String kind) {
    String message = cause.getMessage();
    return isErrorReply(cause) && message != null && message.contains(kind);
  }

  private static Future<Void> unfit(String message) {
    return Future.failedFuture(new IllegalStateException(message));
  }
}
