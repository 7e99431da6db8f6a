package io.sluice.testkit.redis;

import io.sluice.testkit.server.ServerBackend;
import io.sluice.testkit.server.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A real sentinel. It forgets nothing over a restart: it keeps its own file. */
public final class RedisSentinel extends ServerBackend {
  private static final String NAME = "Redis Sentinel";
  private static final String HOST = "127.0.0.1";

  /** A Redis that is silent for so long is down, for this sentinel. */
  private static final int DOWN_AFTER_MS = 1_000;

  /**
   * What it watches.
   *
   * @param master the name of the Redis
   * @param port of the Redis
   * @param quorum the sentinels that must find it down
   * @param password that callers must know; empty: none
   */
  record Watch(String master, int port, int quorum, String password) {}

  private final String uri;

  private RedisSentinel(ServerProcess server, URI uri) {
    super(NAME, server);
    this.uri = uri.toString();
  }

  static RedisSentinel run(Path program, String origin, Path folder, Watch watch) {
    Path file = folder.resolve("sentinel.conf");
    ServerProcess server =
        ServerProcess.startOnFreePort(
            port -> {
              write(file, folder, port, watch);
              List<String> command = List.of(program.toString(), file.toString(), "--sentinel");
              RedisProbe probe = new RedisProbe(uri(port, watch));
              return new ServerProcess.Launch(NAME, origin, folder, command, port, probe);
            });
    return new RedisSentinel(server, uri(server.port(), watch));
  }

  private static void write(Path file, Path folder, int port, Watch watch) {
    String settings =
        """
        bind %1$s
        port %2$d
        dir %3$s
        sentinel monitor %4$s %1$s %5$d %6$d
        sentinel down-after-milliseconds %4$s %7$d
        sentinel failover-timeout %4$s 6000
        %8$s"""
            .formatted(
                HOST,
                port,
                folder,
                watch.master(),
                watch.port(),
                watch.quorum(),
                DOWN_AFTER_MS,
                watch.password().isEmpty() ? "" : "requirepass " + watch.password() + "\n");
    try {
      Files.writeString(file, settings);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static URI uri(int port, Watch watch) {
    String login = watch.password().isEmpty() ? "" : ":" + watch.password() + "@";
    return URI.create("redis://" + login + HOST + ":" + port);
  }

  /** Its address, with its password. */
  public String uri() {
    return uri;
  }

  /** Names this Redis from now on, like one that has taken part in a fail-over. */
  public void watch(String master, RedisBackend redis) {
    tell("SENTINEL REMOVE " + master);
    tell("SENTINEL MONITOR %s %s %d 1".formatted(master, HOST, URI.create(redis.uri()).getPort()));
  }

  /** How many replicas and other sentinels of this Redis it knows, as "replicas:sentinels". */
  public String knows(String master) {
    return tell("INFO sentinel")
        .lines()
        .filter(line -> line.contains("name=" + master + ","))
        .map(line -> line.replaceFirst(".*slaves=(\\d+),sentinels=(\\d+).*", "$1:$2"))
        .findFirst()
        .orElse("");
  }

  private String tell(String command) {
    return new RedisProbe(URI.create(uri)).told(describe(), command);
  }
}
