package io.sluice.stock.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.util.List;
import java.util.Objects;

/** One call of a script for one bucket, or for several, and the builder of its arguments. */
final class LuaCall {
  private final LuaScript script;
  private final List<StockKeys> keys;
  private final Object[] arguments;
  private int filled;
  private int weight;

  /**
   * @param argumentCount exactly as many calls of {@link #add} must follow
   */
  LuaCall(LuaScript script, StockKeys keys, int argumentCount) {
    this(script, List.of(keys), argumentCount);
  }

  /** A call for several buckets. */
  LuaCall(LuaScript script, List<StockKeys> keys, int argumentCount) {
    this.script = script;
    this.keys = keys;
    this.arguments = new Object[argumentCount];
    this.weight = argumentCount;
  }

  LuaCall add(String argument) {
    arguments[filled++] = Objects.requireNonNull(argument);
    return this;
  }

  LuaCall add(long argument) {
    arguments[filled++] = argument;
    return this;
  }

  /** Returns this call; fails if arguments are missing. */
  LuaCall complete() {
    if (filled != arguments.length) {
      throw new IllegalStateException(
          "Expected " + arguments.length + " arguments, but got " + filled);
    }
    return this;
  }

  LuaScript script() {
    return script;
  }

  /** Adds the number of tokens that the reply may have to the weight. */
  LuaCall expecting(int tokens) {
    weight += tokens;
    return this;
  }

  /** The approximate cost for Redis, as the number of tokens read or written. */
  int weight() {
    return weight;
  }

  /** Builds one EVALSHA of these calls of one script, at least one. */
  static Request evalSha(List<LuaCall> calls) {
    return request(Command.EVALSHA, calls.get(0).script.sha1(), calls);
  }

  /** Builds the same call with the script's text, for a Redis that does not know the hash. */
  static Request eval(List<LuaCall> calls) {
    return request(Command.EVAL, calls.get(0).script.source(), calls);
  }

  /**
   * Builds an array of the final size, which the client encodes in place and {@code frame.lua}
   * reads.
   */
  private static Request request(Command command, byte[] script, List<LuaCall> calls) {
    int keyCount = 0;
    int size = 2 + calls.size();
    for (LuaCall call : calls) {
      keyCount += call.keys.size() * StockKeys.COUNT;
      size += call.arguments.length;
    }
    size += keyCount;
    Object[] all = new Object[size];
    all[0] = script;
    all[1] = Integer.toString(keyCount).getBytes(US_ASCII);
    int nextKey = 2;
    int next = 2 + keyCount;
    for (LuaCall call : calls) {
      for (StockKeys bucket : call.keys) {
        nextKey = bucket.copyTo(all, nextKey);
      }
      next = call.copyTo(all, next);
    }
    return Request.cmd(command, all);
  }

  private int copyTo(Object[] all, int from) {
    all[from] = keys.size() == 1 ? arguments.length : arguments.length + ":" + keys.size();
    System.arraycopy(arguments, 0, all, from + 1, arguments.length);
    return from + 1 + arguments.length;
  }
}
