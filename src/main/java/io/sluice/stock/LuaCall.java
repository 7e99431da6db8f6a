package io.sluice.stock;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.sluice.model.BucketId;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;

/**
 * One call of a script while its arguments are put together: an array of the final size, which the
 * client encodes in place.
 */
final class LuaCall {
  private static final byte[] KEY_COUNT = Integer.toString(StockKeys.COUNT).getBytes(US_ASCII);
  private static final int PREFIX = 2 + StockKeys.COUNT;

  private final LuaScript script;
  private final Object[] arguments;
  private int filled = PREFIX;

  /** Expects exactly {@code argumentCount} calls of {@link #add} to follow. */
  LuaCall(LuaScript script, BucketId bucket, int argumentCount) {
    StockKeys keys = StockKeys.of(bucket);
    this.script = script;
    this.arguments = new Object[PREFIX + argumentCount];
    arguments[1] = KEY_COUNT;
    arguments[2] = keys.stock();
    arguments[3] = keys.reserve();
    arguments[4] = keys.unbooked();
    arguments[5] = keys.buyers();
  }

  LuaCall add(String argument) {
    arguments[filled++] = argument;
    return this;
  }

  LuaCall add(long argument) {
    arguments[filled++] = argument;
    return this;
  }

  LuaScript script() {
    return script;
  }

  /** The call by the script's hash. */
  Request evalSha() {
    return request(Command.EVALSHA, script.sha1());
  }

  /** The call by the script's text, for a Redis that does not know the hash. */
  Request eval() {
    return request(Command.EVAL, script.source());
  }

  private Request request(Command command, byte[] body) {
    if (filled != arguments.length) {
      throw new IllegalStateException(
          "Expected " + arguments.length + " arguments, but got " + filled);
    }
    Object[] own = arguments.clone();
    own[0] = body;
    return Request.cmd(command, own);
  }
}
