package io.sluice.testkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.testkit.process.RunFolder;
import io.sluice.testkit.process.StartContext;
import io.sluice.testkit.process.StartListener;
import io.sluice.testkit.process.Workspace;
import io.sluice.testkit.server.ServerChoice;
import io.sluice.testkit.server.ServerOptions;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The effects of fail-overs on a primary, its replica and their spare. */
class RedisTrioIT {
  /** After its lag a primary needs some more time until it refuses writes. */
  private static final Duration STOPPED_WITHIN = Duration.ofSeconds(8);

  private RunFolder folder;
  private RedisTrio unit;

  @BeforeEach
  void makeTrio() {
    folder = Workspace.newRunFolder(Workspace.root().resolve("own").toAbsolutePath());
    var context =
        new StartContext(
            folder.path(),
            System.getenv(),
            RedisTrio.settings(ServerOptions.none()),
            StartListener.SILENT);
    RedisBackend first = new ServerChoice(context).start(new RedisFactory(context));
    assumeTrue(first.replicable());
    unit = RedisTrio.of(first);
    set(first, "both");
  }

  @AfterEach
  void end() {
    if (unit != null) {
      unit.close();
    }
    folder.close();
  }

  @Test
  void shouldLoseWhatTheReplicaMissedWhenDemotedAndPromotedBack() {
    // given
    RedisBackend primary = unit.primary();
    String runId = primary.info("server", "run_id");
    String history = primary.info("replication", "master_replid");
    awaitReplicated(primary);
    unit.fallBehind();
    set(primary, "primary");

    // when
    unit.demote();
    unit.promoteBack();

    // then
    assertThat(unit.primary()).isSameAs(primary);
    assertThat(get(primary)).isEqualTo("both");
    assertThat(primary.info("server", "run_id")).isEqualTo(runId);
    assertThat(primary.info("replication", "master_replid")).isNotEqualTo(history);
    set(primary, "again");
  }

  @Test
  void shouldLetTheOldPrimaryWriteForAWhileWhenItIsReplaced() {
    // given
    RedisBackend old = unit.primary();

    // when
    unit.replace();

    // then
    assertThat(unit.primary()).isNotSameAs(old);
    set(unit.primary(), "new");
    await().atMost(STOPPED_WITHIN).until(() -> old.goodReplicas() == 0);
    assertThatThrownBy(() -> set(old, "old")).hasStackTraceContaining("NOREPLICAS");
  }

  @Test
  void shouldReplaceThePrimaryAgainWhenTheOldOneIsRetired() {
    // given
    unit.replace();
    unit.retire();
    RedisBackend second = unit.primary();
    set(second, "second");
    awaitReplicated(second);

    // when
    unit.replace();
    unit.retire();

    // then
    assertThat(unit.primary()).isNotSameAs(second);
    assertThat(get(unit.primary())).isEqualTo("second");
  }

  @Test
  void shouldTakeWritesAgainWhenThePrimaryIsRestarted() {
    // given
    unit.replace();
    unit.retire();
    RedisBackend primary = unit.primary();

    // when
    primary.kill();
    primary.start();

    // then
    await().ignoreExceptions().until(() -> primary.goodReplicas() > 0);
    set(primary, "restarted");
  }

  private static void awaitReplicated(RedisBackend primary) {
    String sent = primary.info("replication", "master_repl_offset").split(":")[1].strip();
    await().until(() -> primary.tell("INFO replication").contains("offset=" + sent));
  }

  private static void set(RedisBackend redis, String value) {
    redis.set("trio", value);
  }

  private static String get(RedisBackend redis) {
    return redis.tell("GET trio");
  }
}
