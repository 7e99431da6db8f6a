package io.sluice.testkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.testkit.server.Backends;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The losses of data that only chaos needs of a Redis; the other faults have users that fail. */
class RedisBackendIT {
  private final RedisBackend unit = Backends.shared().redis();

  @Test
  void shouldBeEmptyWhenWiped() {
    assertThat(afterRestart(wiped -> unit.wipe())).isEmpty();
  }

  @Test
  void shouldComeBackInThePastWhenAnOlderFileIsRestored() {
    assertThat(afterRestart(unit::restoreAppendOnlyFile)).isEqualTo("old");
  }

  private String afterRestart(Consumer<Path> loss) {
    assumeTrue(unit.killable());
    unit.set("price", "old");
    Path past = unit.saveAppendOnlyFile();
    unit.set("price", "new");
    unit.kill();
    loss.accept(past);
    unit.start();
    return unit.tell("GET price");
  }
}
