package io.sluice.stock.redis;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The Redis version that a server is compatible with; Valkey reports one of 7.2. */
record RedisVersion(int major, int minor, int patch) {
  private static final Pattern VERSION =
      Pattern.compile("redis_version:(\\d{1,9})\\.(\\d{1,9})\\.(\\d{1,9})");

  /** Parses the section {@code server} of INFO; without a version, 0.0.0. */
  static RedisVersion parse(String info) {
    Matcher version = VERSION.matcher(info);
    return version.find()
        ? new RedisVersion(
            Integer.parseInt(version.group(1)),
            Integer.parseInt(version.group(2)),
            Integer.parseInt(version.group(3)))
        : new RedisVersion(0, 0, 0);
  }

  boolean isAtLeast(int otherMajor, int otherMinor, int otherPatch) {
    if (major != otherMajor) {
      return major > otherMajor;
    }
    return minor != otherMinor ? minor > otherMinor : patch >= otherPatch;
  }
}
