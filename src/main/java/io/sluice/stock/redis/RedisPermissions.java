package io.sluice.stock.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.sluice.connect.ConnectFailure;
import io.sluice.connect.ConnectFault;
import io.sluice.model.BucketId;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.stream.Collectors;

/**
 * Checks that Redis lets its user do all that Sluice does. Without this a missing permission would
 * show with the first order that needs it: a script runs up to the forbidden command, and Redis
 * does not undo what it did before.
 */
final class RedisPermissions {
  /**
   * Tries every command of the scripts on keys that no SKU has, and returns those that are
   * forbidden; other errors do not matter here. The keys are gone when it ends.
   */
  static final String SCRIPT =
      """
      local stock, reserve, unbooked, buyers = unpack(KEYS)
      local forbidden = {}
      local function try(command, ...)
        local reply = redis.pcall(command, ...)
        local refusal = type(reply) == 'table' and reply.err or ''
        if string.find(refusal, 'NOPERM', 1, true) or string.find(refusal, 'ACL', 1, true)
          or string.find(refusal, 'user executing the script', 1, true) then
          forbidden[#forbidden + 1] = command
        end
      end
      try('INFO', 'server')
      try('TIME')
      try('HSET', stock, 'a', '1')
      try('HSETNX', stock, 'a', '1')
      try('HMGET', stock, 'a')
      try('HINCRBY', buyers, 'a', '1')
      try('HLEN', reserve)
      try('HSCAN', reserve, '0')
      try('HDEL', buyers, 'a')
      try('ZADD', unbooked, '1', 'a')
      try('ZCARD', unbooked)
      try('ZRANGE', unbooked, '0', '0')
      try('ZRANGEBYSCORE', unbooked, '0', '1')
      try('ZSCORE', unbooked, 'a')
      try('ZREM', unbooked, 'a')
      try('EXISTS', stock)
      try('UNLINK', stock, reserve, unbooked, buyers)
      return forbidden
      """;

  private static final BucketId NOBODYS = new BucketId(0, 0);

  private RedisPermissions() {}

  /** Keys of this partition that no SKU has. */
  static StockKeys nobodysKeys(int partition) {
    return StockKeys.of(partition, NOBODYS);
  }

  /**
   * Fails where a command or a kind of key is forbidden.
   *
   * @param keys that no SKU has
   */
  static Future<Void> check(RedisConnection connection, StockKeys keys) {
    Object[] arguments = new Object[2 + StockKeys.COUNT];
    arguments[0] = SCRIPT.getBytes(US_ASCII);
    arguments[1] = StockKeys.COUNT;
    keys.copyTo(arguments, 2);
    return connection
        .send(Request.cmd(Command.TIME))
        .compose(time -> connection.send(Request.cmd(Command.EXISTS, keys.stock())))
        .compose(exists -> connection.send(Request.cmd(Command.EVAL, arguments)))
        .compose(RedisPermissions::expectNone);
  }

  private static Future<Void> expectNone(Response forbidden) {
    return forbidden.size() == 0
        ? Future.succeededFuture()
        : Future.failedFuture(
            new ConnectFailure(
                ConnectFault.PERMISSION_MISSING,
                "Expected Redis to let the user of redis.uri run all commands of the scripts, but it forbids "
                    + forbidden.stream()
                        .map(Response::toString)
                        .collect(Collectors.joining(", "))));
  }
}
