package io.sluice.chaos.fault;

import io.sluice.testkit.redis.RedisBackend;
import io.sluice.testkit.site.SluiceProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A settable clock of Redis. A server takes its time from the machine, so the instances' scripts
 * are changed instead: they add an offset that they read from a key.
 */
final class SteppedClock {
  static final Duration STEP = Duration.ofHours(1);

  private static final String KEY = "chaos:clock";
  private static final String SCRIPT = "lua/frame.lua";
  private static final String READ = "now = time[1] * 1000 + math.floor(time[2] / 1000)";

  private SteppedClock() {}

  /** The instance, with scripts that read this clock. */
  static SluiceProcess readBy(SluiceProcess instance) {
    return instance.withResource(SCRIPT, changed(original()));
  }

  private static String changed(String script) {
    String changed = script.replace(READ, READ + " + (redis.call('GET', '" + KEY + "') or 0)");
    if (changed.equals(script)) {
      throw new AssertionError("Expected the script to read the clock as: " + READ);
    }
    return changed;
  }

  private static String original() {
    try (InputStream in = SteppedClock.class.getClassLoader().getResourceAsStream(SCRIPT)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sets the clock ahead by this much, or behind. */
  static void step(RedisBackend redis, Duration ahead) {
    redis.set(KEY, String.valueOf(ahead.toMillis()));
  }
}
