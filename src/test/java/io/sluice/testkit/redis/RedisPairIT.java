package io.sluice.testkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.testkit.server.Backends;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What fail-overs do to a pair of Redis servers. */
class RedisPairIT {
  private static final Duration LAG = Duration.ofSeconds(1);

  private final RedisBackend primary = Backends.shared().redis();
  private RedisPair unit;

  @BeforeEach
  void makePair() {
    assumeTrue(primary.replicable());
    unit = RedisPair.of(primary, LAG);
    set("pair", "both");
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
    String runId = field("server", "run_id");
    String history = field("replication", "master_replid");
    unit.cutOff();
    set("pair", "primary");

    // when
    unit.demoteAndPromoteBack();

    // then
    assertThat(get(primary, "pair")).isEqualTo("both");
    assertThat(field("server", "run_id")).isEqualTo(runId);
    assertThat(field("replication", "master_replid")).isNotEqualTo(history);
    set("pair", "again");
    await().until(() -> get(unit.replica(), "pair").equals("again"));
  }

  @Test
  void shouldRefuseWritesWhenCutOffFromItsReplica() {
    // when
    unit.cutOff();
    unit.promoteReplica();

    // then
    await().atMost(unit.isolationLimit().multipliedBy(2)).until(unit::isPrimaryIsolated);
    assertThatThrownBy(() -> set("pair", "primary")).hasStackTraceContaining("NOREPLICAS");
    assertThat(ask(unit.replica(), "SET pair replica")).isEqualTo("+OK");
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
    set("pair", "alone");
    assertThat(get(primary, "pair")).isEqualTo("alone");
  }

  private void set(String key, String value) {
    ask(primary, "SET " + key + " " + value);
  }

  private static String get(RedisBackend redis, String key) {
    return ask(redis, "GET " + key);
  }

  private String field(String section, String name) {
    return ask(primary, "INFO " + section)
        .lines()
        .filter(line -> line.startsWith(name + ":"))
        .findFirst()
        .orElseThrow();
  }

  private static String ask(RedisBackend redis, String command) {
    try {
      return new RedisProbe(URI.create(redis.uri())).tell(command);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
