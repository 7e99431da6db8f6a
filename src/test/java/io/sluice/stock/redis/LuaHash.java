package io.sluice.stock.redis;

import java.util.Locale;

/** By what name a script is called on the wire, for tests that look at the wire. */
public final class LuaHash {
  private LuaHash() {}

  /** Of {@code lua/<name>.lua}. */
  public static String of(String name) {
    return RedisUnderTest.text(LuaScript.valueOf(name.toUpperCase(Locale.ROOT)).sha1());
  }
}
