package io.sluice.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.testkit.process.StartListener;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts and ends whole sets of servers. */
class BackendsIT {
  @TempDir Path folder;

  @Test
  void shouldShareOneSetWhenAskedTwice() {
    assertThat(Backends.shared()).isSameAs(Backends.shared());
  }

  @Test
  void shouldTellHowFarItIsWhenStarting() {
    // given
    Set<String> heard = ConcurrentHashMap.newKeySet();

    // when
    Backends.start(folder, (name, state, detail) -> heard.add(name + " " + state)).close();

    // then
    assertThat(heard)
        .contains("Redis READY", "Kafka READY", "MySQL READY")
        .contains("Redis PREPARING", "Kafka PREPARING", "MySQL PREPARING");
  }

  @Test
  void shouldLeaveNoProcessAndNoDataWhenClosed() throws Exception {
    // given
    assumeTrue(Backends.shared().redis().killable());
    Backends unit = Backends.start(folder, StartListener.SILENT);
    List<ProcessHandle> processes =
        unit.all().stream()
            .filter(Backend::killable)
            .flatMap(backend -> ProcessHandle.of(backend.pid()).stream())
            .toList();
    unit.redis().pause();

    // when
    unit.close();

    // then
    assertThat(processes).noneMatch(ProcessHandle::isAlive);
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).noneMatch(Files::isDirectory);
    }
  }

  @Test
  void shouldShowTheEndOfTheLogWhenAServerRefusesItsOptions() {
    // given
    assumeTrue(Backends.shared().redis().killable());
    ServerOptions wrong = ServerOptions.none().withRedis("no-such-setting", "1");

    // when // then
    assertThatThrownBy(() -> Backends.start(folder, StartListener.SILENT, wrong))
        .isInstanceOf(BackendException.class)
        .hasMessageContaining("Redis ended while it was starting")
        .hasMessageContaining("no-such-setting");
  }
}
