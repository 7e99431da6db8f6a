package io.sluice.testkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.testkit.server.Backends;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The effects of fail-overs on a pair of Redis servers. */
class RedisPairIT {
  private static final Duration LAG = Duration.ofSeconds(1);

  private final RedisBackend primary = Backends.shared().redis();
  private RedisPair unit;

  @BeforeEach
  void makePair() {
    assumeTrue(primary.replicable());
    unit = RedisPair.of(primary, LAG);
    primary.set("pair", "both");
    await().until(() -> get(unit.replica(), "pair").equals("both"));
  }

  @AfterEach
  void end() {
    if (unit != null) {
      unit.close();
    }
  }

  @Test
  void shouldLoseWhatTheReplicaMissedWhenDemotedAndPromotedBack() {
    // given
    String runId = primary.info("server", "run_id");
    String history = primary.info("replication", "master_replid");
    unit.cutOff();
    primary.set("pair", "primary");

    // when
    unit.demoteAndPromoteBack();

    // then
    assertThat(get(primary, "pair")).isEqualTo("both");
    assertThat(primary.info("server", "run_id")).isEqualTo(runId);
    assertThat(primary.info("replication", "master_replid")).isNotEqualTo(history);
    primary.set("pair", "again");
    await().until(() -> get(unit.replica(), "pair").equals("again"));
  }

  @Test
  void shouldRefuseWritesWhenCutOffFromItsReplica() {
    // when
    unit.cutOff();
    unit.promoteReplica();

    // then
    await().atMost(unit.isolationLimit().multipliedBy(2)).until(unit::isPrimaryIsolated);
    assertThatThrownBy(() -> primary.set("pair", "primary")).hasStackTraceContaining("NOREPLICAS");
    assertThat(unit.replica().tell("SET pair replica")).isEqualTo("+OK");
  }

  @Test
  void shouldTakeWritesOnItsOwnWhenClosed() {
    // given
    unit.cutOff();
    unit.demote();

    // when
    unit.close();
    unit = null;

    // then
    primary.set("pair", "alone");
    assertThat(get(primary, "pair")).isEqualTo("alone");
  }

  private static String get(RedisBackend redis, String key) {
    return redis.tell("GET " + key);
  }
}
