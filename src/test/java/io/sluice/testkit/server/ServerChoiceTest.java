package io.sluice.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.testkit.process.StartContext;
import io.sluice.testkit.redis.RedisBackend;
import io.sluice.testkit.redis.RedisFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Chooses among fake servers. */
class ServerChoiceTest {
  private final List<String> heard = new ArrayList<>();

  @ParameterizedTest
  @CsvSource({"docker, in a container", "system, installed", "Embedded, embedded"})
  void shouldTakeThatWayWhenTheEnvironmentLeavesOnlyOne(String value, String expected) {
    // given
    ServerChoice unit = choice(Map.of(ServerChoice.VARIABLE, value));

    // when
    RedisBackend backend = unit.start(new FakeFactory(false, true));

    // then
    assertThat(backend.uri()).isEqualTo(expected);
    assertThat(heard).last().asString().startsWith("Redis READY");
  }

  @Test
  void shouldTakeTheNamedServerWhenTheEnvironmentNamesOne() {
    // given
    ServerChoice unit = choice(Map.of(ServerChoice.VARIABLE, "embedded"));

    // when
    RedisBackend backend = unit.start(new FakeFactory(true, true));

    // then
    assertThat(backend.uri()).isEqualTo("named");
  }

  @Test
  void shouldFailWhenOnlyInstalledServersAreWantedAndThereIsNone() {
    // given
    ServerChoice unit = choice(Map.of(ServerChoice.VARIABLE, "system"));

    // when // then
    assertThatThrownBy(() -> unit.start(new FakeFactory(false, false)))
        .hasMessage("Redis is not installed here");
    assertThat(heard).last().isEqualTo("Redis FAILED Redis is not installed here");
  }

  @Test
  void shouldNameTheVariableWhenItsValueIsUnknown() {
    assertThatThrownBy(() -> choice(Map.of(ServerChoice.VARIABLE, "cloud")))
        .hasMessage("SLUICE_TEST_BACKENDS must be docker, system or embedded, was cloud");
  }

  private ServerChoice choice(Map<String, String> environment) {
    return new ServerChoice(
        new StartContext(
            Path.of("unused"),
            environment,
            ServerOptions.none(),
            (name, state, detail) -> heard.add(name + " " + state + " " + detail)));
  }

  /** Returns a Redis whose URI names its origin. */
  private record FakeFactory(boolean hasNamed, boolean hasSystem)
      implements ServerFactory<RedisBackend> {
    @Override
    public String name() {
      return RedisFactory.NAME;
    }

    @Override
    public Optional<RedisBackend> named() {
      return hasNamed ? Optional.of(backend("named")) : Optional.empty();
    }

    @Override
    public RedisBackend inDocker() {
      return backend("in a container");
    }

    @Override
    public Optional<RedisBackend> ofSystem() {
      return hasSystem ? Optional.of(backend("installed")) : Optional.empty();
    }

    @Override
    public RedisBackend embedded() {
      return backend("embedded");
    }

    private static RedisBackend backend(String uri) {
      return new RedisBackend(new NamedServer("Redis", "NONE", () -> "Redis 0"), uri, null);
    }
  }
}
