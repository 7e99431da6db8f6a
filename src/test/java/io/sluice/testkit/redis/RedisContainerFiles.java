package io.sluice.testkit.redis;

import com.github.dockerjava.api.DockerClient;
import io.sluice.testkit.process.DataFiles;
import io.sluice.testkit.server.ServerContainer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/**
 * The data files of a Redis in a container.
 *
 * <p>In a stopped container files cannot be deleted, but can be copied into it: those below {@code
 * /swap/data} replace Redis' files when it starts.
 */
record RedisContainerFiles(ServerContainer server, Path folder) implements DataFiles {
  /** Starts Redis; its settings follow. */
  static final List<String> COMMAND =
      List.of(
          "sh",
          "-c",
          """
          mkdir -p /swap
          if [ -d /swap/data ]; then
            rm -rf /data/*
            cp -a /swap/data/. /data/
            rm -rf /swap/data
          fi
          exec redis-server "$@"
          """,
          "redis",
          "--dir",
          "/data");

  @Override
  public void wipe() {
    // A folder with only a file that Redis does not know is like an empty one.
    try {
      Path data = Files.createDirectories(folder.resolve("empty/data"));
      Files.writeString(data.resolve("wiped"), "");
      engine()
          .copyArchiveToContainerCmd(server.id())
          .withHostResource(data.toString())
          .withRemotePath("/swap")
          .exec();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Path save() {
    Path copy = folder.resolve("saved-" + UUID.randomUUID() + ".tar");
    try (InputStream tar = engine().copyArchiveFromContainerCmd(server.id(), "/data").exec()) {
      Files.copy(tar, copy);
      return copy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void restore(Path copy) {
    try (InputStream tar = Files.newInputStream(copy)) {
      engine()
          .copyArchiveToContainerCmd(server.id())
          .withTarInputStream(tar)
          .withRemotePath("/swap")
          .exec();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private DockerClient engine() {
    return server.engine();
  }
}
