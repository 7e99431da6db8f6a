package io.sluice.stock.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.sluice.model.BucketId;
import io.sluice.monitor.ConnectFault;
import io.sluice.monitor.ConnectFault.ConnectFailure;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Checks that Redis lets its user do all that Sluice does. Without this a missing permission would
 * show with the first order that needs it. A script runs up to the forbidden command, and Redis
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
      try('ZSCORE', unbooked, 'a')
      try('ZREM', unbooked, 'a')
      try('EXISTS', stock)
      try('UNLINK', stock, reserve, unbooked, buyers)
      return forbidden
      """;

  /**
   * The same as far as it can be tried without a change of any bucket, and the refusal of writes,
   * if there is one. The first command tried is one that Redis out of memory refuses. Before that
   * it reads the mark, and ends there if another ledger is named, or if Redis answers with an
   * error; if no ledger is named, this one is, where that is asked for.
   */
  static final String GLANCE =
      """
      local stock, reserve, unbooked, buyers, mark = unpack(KEYS)
      local ledger, names = unpack(ARGV)
      local forbidden, refusal = {}, ''
      local function isForbidden(err)
        return string.find(err, 'NOPERM', 1, true) or string.find(err, 'ACL', 1, true)
          or string.find(err, 'user executing the script', 1, true)
      end
      local function try(command, ...)
        local reply = redis.pcall(command, ...)
        local err = type(reply) == 'table' and reply.err or ''
        if isForbidden(err) then
          forbidden[#forbidden + 1] = command
        elseif refusal == '' then
          refusal = err
        end
      end
      local unnamed = false
      if ledger ~= '' then
        local reply = redis.pcall('HMGET', mark, 'id')
        if reply.err and not isForbidden(reply.err) then
          return {'', '', reply.err}
        end
        local name = reply[1] or ''
        if name ~= '' and name ~= ledger then
          return {'', name, ''}
        end
        unnamed = not reply.err and name == ''
      end
      try('ZADD', unbooked, 'XX', '1', 'a')
      try('ZREM', unbooked, 'a')
      try('HDEL', buyers, 'a')
      try('UNLINK', stock, reserve, unbooked, buyers)
      try('TIME')
      try('HMGET', stock, 'a')
      try('HLEN', reserve)
      try('HSCAN', reserve, '0')
      try('ZCARD', unbooked)
      try('ZRANGE', unbooked, '0', '0')
      try('ZSCORE', unbooked, 'a')
      try('EXISTS', stock)
      if unnamed and names == '1' then
        try('HSETNX', mark, 'id', ledger)
      end
      return {refusal, '', '', unpack(forbidden)}
      """;

  /** The answer of Redis to writes while it cannot save, until an operator helps it. */
  private static final String CANNOT_SAVE = "MISCONF";

  private static final BucketId NOBODYS = new BucketId(0, 0);

  private RedisPermissions() {}

  /** Keys of this partition that no SKU has. */
  static StockKeys nobodysKeys(int partition) {
    return StockKeys.of(partition, NOBODYS);
  }

  /**
   * Fails if a command or a kind of key is forbidden.
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
        : Future.failedFuture(missing(forbidden.stream().map(Response::toString)));
  }

  /**
   * What a glance has seen of a Redis that names no other ledger.
   *
   * @param refusal why it refuses writes now, in its own words; empty if it takes them
   * @param forbidden the commands that are, of those tried
   */
  record Seen(String refusal, List<String> forbidden) {
    /** Fails if one is forbidden, or if it refuses all writes until somebody helps it. */
    Future<String> expectFit() {
      if (!forbidden.isEmpty()) {
        return Future.failedFuture(missing(forbidden.stream()));
      }
      return refusal.contains(CANNOT_SAVE)
          ? Future.failedFuture(
              new UnfitRedisException("Expected Redis to take writes, but it says: " + refusal))
          : Future.succeededFuture(refusal);
    }
  }

  /**
   * Looks at a Redis, and changes nothing, except that one without a mark gets it if that is asked
   * for. Fails if it names another ledger, or if its mark is none.
   */
  static Future<Seen> glance(
      RedisConnection connection, StockKeys keys, LedgerMark mark, boolean names) {
    Object[] arguments = new Object[5 + StockKeys.COUNT];
    arguments[0] = GLANCE.getBytes(US_ASCII);
    arguments[1] = StockKeys.COUNT + 1;
    int next = keys.copyTo(arguments, 2);
    arguments[next] = mark.key();
    arguments[next + 1] = mark.ledger();
    arguments[next + 2] = names ? 1 : 0;
    return connection
        .send(Request.cmd(Command.EVAL, arguments))
        .compose(
            seen -> {
              String other = seen.get(1).toString();
              String error = seen.get(2).toString();
              if (!other.isEmpty()) {
                return Future.failedFuture(mark.isOf(other));
              }
              return error.isEmpty()
                  ? Future.succeededFuture(
                      new Seen(
                          seen.get(0).toString(),
                          seen.stream().skip(3).map(Response::toString).toList()))
                  : Future.failedFuture(mark.isNone(error));
            });
  }

  private static ConnectFailure missing(Stream<String> forbidden) {
    return new ConnectFailure(
        ConnectFault.PERMISSION_MISSING,
        "Expected Redis to let the user of redis.uri run all commands of the scripts, but it"
            + " forbids "
            + forbidden.collect(Collectors.joining(", ")));
  }
}
