package io.sluice.stock.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.model.BundledFile;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/**
 * The Lua scripts, one per operation. Each is read from {@code lua/<name>.lua} when this class is
 * initialized, and inserted into {@code lua/frame.lua}, so that one call serves several buckets.
 */
enum LuaScript {
  RESERVE,
  RESERVE_CARTS,
  SOLD_OUT,
  TOKENS,
  LOOKUP,
  OVERDUE,
  BOOK,
  RELEASE,
  RESTOCK,
  TAKE,
  FREEZE,
  LOAD,
  LOAD_PAGE,
  OPEN,
  UNLOAD,
  SNAPSHOT,
  QUIET;

  private final byte[] source;
  private final byte[] sha1;

  LuaScript() {
    this.source = framed(read(fileName())).getBytes(UTF_8);
    this.sha1 = HexFormat.of().formatHex(sha1Of(source)).getBytes(US_ASCII);
  }

  String fileName() {
    return name().toLowerCase(Locale.ROOT) + ".lua";
  }

  /** The text that Redis runs: the frame with the script in it. */
  byte[] source() {
    return source;
  }

  /** The hash for EVALSHA: 40 hexadecimal digits. */
  byte[] sha1() {
    return sha1;
  }

  private static String framed(String script) {
    return read("frame.lua").replace("\nSCRIPT\n", "\n" + script + "\n");
  }

  private static String read(String fileName) {
    return BundledFile.text("/lua/" + fileName);
  }

  private static byte[] sha1Of(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-1").digest(bytes);
    } catch (NoSuchAlgorithmException everyPlatformHasIt) {
      throw new IllegalStateException(everyPlatformHasIt);
    }
  }
}
