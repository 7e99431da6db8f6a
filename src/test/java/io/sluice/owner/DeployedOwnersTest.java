package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.Config;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeployedOwnersTest {
  private final List<PartitionOwnerVerticle> made = new ArrayList<>();
  private final DeployedOwners unit =
      new DeployedOwners(
          partition -> {
            PartitionOwnerVerticle verticle =
                new PartitionOwnerVerticle(
                    partition,
                    new KnownFences(),
                    null,
                    Config.defaults().reservation(),
                    Duration.ofSeconds(60),
                    null);
            made.add(verticle);
            return verticle;
          },
          verticle -> Future.succeededFuture("id"),
          id -> Future.succeededFuture());

  /** What it still says must not be done to its successor. */
  @Test
  void shouldNotTakeAnOwnerForCurrentWhenItWasReplaced() {
    // given
    unit.deploy(3);
    unit.undeploy(3);
    boolean withoutOwner = unit.isCurrent(made.get(0));

    // when
    unit.deploy(3);

    // then
    assertThat(withoutOwner).isFalse();
    assertThat(unit.isCurrent(made.get(0))).isFalse();
    assertThat(unit.isCurrent(made.get(1))).isTrue();
  }
}
