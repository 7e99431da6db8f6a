package io.sluice.stock.redis;

import java.util.Locale;

/** The SHA by which a script is called, for tests that inspect the connection. */
public final class LuaHash {
  private LuaHash() {}

  /** The SHA of {@code lua/<name>.lua}. */
  public static String of(String name) {
    return RedisUnderTest.text(LuaScript.valueOf(name.toUpperCase(Locale.ROOT)).sha1());
  }
}
