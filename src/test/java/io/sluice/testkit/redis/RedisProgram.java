package io.sluice.testkit.redis;

import io.sluice.testkit.server.BackendException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tells the version of a redis-server on disk. */
final class RedisProgram {
  private static final Pattern MAJOR = Pattern.compile("v=(\\d+)\\.");

  private RedisProgram() {}

  static boolean isAtLeast(Path program, int major) {
    try {
      Process asked =
          new ProcessBuilder(program.toString(), "--version").redirectErrorStream(true).start();
      String said = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      Matcher found = MAJOR.matcher(said);
      return found.find() && Integer.parseInt(found.group(1)) >= major;
    } catch (IOException e) {
      throw new BackendException("cannot run " + program, e);
    }
  }
}
