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

/**
 * Checks that Redis lets its user do all that Sluice does. Without this a missing permission would
 * show with the first order that needs it. A script runs up to the forbidden command, and Redis
 * does not undo what it did before.
 *
 * @param keys that no SKU has
 * @param mark of the ledger whose stock must be there
 * @param names whether a Redis without a mark gets it
 * @param writes whether all commands are tried, on these keys, which are gone then; else only what
 *     can be tried without any change
 */
record RedisPermissions(StockKeys keys, Mark mark, boolean names, boolean writes) {
  /**
   * Tries every command of the scripts, and returns those that are forbidden, and the refusal of
   * writes, if there is one: the first command tried is one that Redis out of memory refuses.
   * Before that it reads the mark, and ends there if another ledger is named, or if Redis answers
   * with an error.
   */
  static final String SCRIPT =
      """
      local stock, reserve, unbooked, buyers, mark = unpack(KEYS)
      local ledger, names, writes = unpack(ARGV)
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
      if writes == '1' then
        try('ZADD', unbooked, '1', 'a')
        try('INFO', 'server')
        try('HSET', stock, 'a', '1')
        try('HSETNX', stock, 'a', '1')
        try('HINCRBY', buyers, 'a', '1')
      else
        try('ZADD', unbooked, 'XX', '1', 'a')
      end
      try('TIME')
      try('HMGET', stock, 'a')
      try('HLEN', reserve)
      try('HSCAN', reserve, '0')
      try('HDEL', buyers, 'a')
      try('ZCARD', unbooked)
      try('ZRANGE', unbooked, '0', '0')
      try('ZSCORE', unbooked, 'a')
      try('ZREM', unbooked, 'a')
      try('EXISTS', stock)
      try('UNLINK', stock, reserve, unbooked, buyers)
      if unnamed and names == '1' then
        try('HSETNX', mark, 'id', ledger)
      end
      return {refusal, '', '', unpack(forbidden)}
      """;

  /** What a server says that has no scripts, or none in Lua. */
  private static final List<String> NO_SCRIPTS = List.of("unknown command", "scripting engine");

  private static final BucketId NOBODYS = new BucketId(0, 0);

  /** Keys of this partition that no SKU has. */
  static StockKeys nobodysKeys(int partition) {
    return StockKeys.of(partition, NOBODYS);
  }

  /**
   * Completes with why Redis refuses writes now, in its own words; empty if it takes them. Fails if
   * it names another ledger, if its mark is none, or if a command or a kind of key is forbidden.
   */
  Future<String> check(RedisConnection connection) {
    Future<Response> sent =
        writes
            ? connection
                .send(Request.cmd(Command.TIME))
                .compose(time -> connection.send(Request.cmd(Command.EXISTS, keys.stock())))
                .compose(exists -> connection.send(script()))
            : connection.send(script());
    return sent.recover(RedisPermissions::withoutScripts).compose(this::verdict);
  }

  /** Others speak the protocol of Redis as well. Nothing but a script can grant without a race. */
  private static Future<Response> withoutScripts(Throwable cause) {
    return NO_SCRIPTS.stream().anyMatch(kind -> RedisFailures.isErrorReply(cause, kind))
        ? Future.failedFuture(
            new UnfitRedisException(
                "Expected a Redis or Valkey that runs Lua scripts (EVAL), but it says: "
                    + cause.getMessage()))
        : Future.failedFuture(cause);
  }

  private Request script() {
    Object[] arguments = new Object[6 + StockKeys.COUNT];
    arguments[0] = SCRIPT.getBytes(US_ASCII);
    arguments[1] = StockKeys.COUNT + 1;
    int next = keys.copyTo(arguments, 2);
    arguments[next] = mark.key();
    arguments[next + 1] = mark.ledger();
    arguments[next + 2] = names ? 1 : 0;
    arguments[next + 3] = writes ? 1 : 0;
    return Request.cmd(Command.EVAL, arguments);
  }

  private Future<String> verdict(Response seen) {
    String refusal = seen.get(0).toString();
    String other = seen.get(1).toString();
    String error = seen.get(2).toString();
    String forbidden =
        seen.stream()
            .skip(3)
            .map(Response::toString)
            .distinct()
            .sorted()
            .collect(Collectors.joining(", "));
    if (!other.isEmpty()) {
      return Future.failedFuture(mark.isOf(other));
    }
    if (!error.isEmpty()) {
      return Future.failedFuture(mark.isNone(error));
    }
    if (!forbidden.isEmpty()) {
      return Future.failedFuture(
          new ConnectFailure(
              ConnectFault.PERMISSION_MISSING,
              "Expected Redis to let the user of redis.uri run all commands of the scripts, but it"
                  + " forbids "
                  + forbidden));
    }
    return Future.succeededFuture(refusal);
  }

  /**
   * How a Redis, or a primary of a cluster, names the ledger whose stock it has. Two ledgers on one
   * would load their buckets over each other's, and book what the other has granted.
   *
   * @param key of the hash that has the name
   * @param ledger the id of this ledger; empty: any may have its stock there
   */
  record Mark(byte[] key, String ledger) {
    /** Says that another ledger is named, and what an operator can do. */
    ConnectFailure isOf(String other) {
      return new ConnectFailure(
          ConnectFault.OTHER_LEDGER,
          ("Expected Redis to have the stock of ledger %s alone, but its key %s names ledger %s;"
                  + " give each ledger a Redis, or a database number, of its own; if %s is gone for"
                  + " good, empty that Redis; if it is this ledger as it was before it was restored,"
                  + " delete the key")
              .formatted(ledger, new String(key, US_ASCII), other, other));
    }

    /** Says what Redis answers instead of a name: it is not known whose stock it has. */
    UnfitRedisException isNone(String error) {
      return new UnfitRedisException(
          "Expected the key %s to be a hash with the id of the ledger, but Redis says: %s; if another tool has written it, delete the key"
              .formatted(new String(key, US_ASCII), error));
    }
  }
}
