package io.sluice.ledger.mysql;

import static io.sluice.db.TestDatabase.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.db.TestDatabase;
import io.sluice.ledger.IdentityMismatchException;
import io.sluice.ledger.Ledger.InstanceSettings;
import io.sluice.ledger.Levels;
import io.vertx.core.Future;
import io.vertx.mysqlclient.MySQLConnection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The settings that instances publish to each other through the ledger. */
class InstancesIT {
  @AutoClose private static final TestDatabase database = TestDatabase.migrated(2, 10_000);

  private final MySqlInstances unit = new MySqlInstances(database.database());

  /** That of a release that is to come. */
  private static final int NEXT = Levels.LEVEL + 1;

  /** What an instance of this release writes; for the next one it is an old one. */
  private static final String OLD =
      "INSERT INTO service_instance (instance_id, grant_deadline_ms, sweep_after_ms, level,"
          + " seen_at) SELECT 'old', 1, 2, 7, CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED) ON"
          + " DUPLICATE KEY UPDATE seen_at = CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)";

  private MySQLConnection starting;
  private final MySqlLedgerIdentity foundation = new MySqlLedgerIdentity(database.database());

  @BeforeEach
  void nobodyRuns() {
    database.sql("DELETE FROM service_instance");
    database.sql("DELETE FROM foundation");
    database.sql("INSERT IGNORE INTO instance_level (level) VALUES (6), (7), (8)");
  }

  private void found() {
    get(foundation.orderLog(2, "topic", () -> Future.succeededFuture(Map.of(0, 0L, 1, 0L))));
    database.sql(OLD.replace("'old', 1, 2, 7", "'new', 1, 2, " + NEXT));
  }

  @AfterEach
  void endStart() {
    if (starting != null) {
      get(starting.close());
    }
  }

  /** Whether a session is at the locks of levels, which nobody holds for long. */
  private static boolean waits() {
    return database
            .sql(
                "SELECT 1 FROM information_schema.processlist WHERE id <> CONNECTION_ID()"
                    + " AND info LIKE 'SELECT level%FOR UPDATE%'")
            .size()
        > 0;
  }

  private static int marked() {
    return database
        .sql("SELECT 1 FROM foundation WHERE value = '2 in format 3, level " + NEXT + "'")
        .size();
  }

  @Test
  void shouldAnswerTheLongestOfEachSettingWhenInstancesDiffer() {
    // given
    InstanceSettings nobody = get(unit.longest());
    boolean isNew = get(unit.keep("one", new InstanceSettings(2_000, 9_000)));
    get(unit.keep("two", new InstanceSettings(5_000, 6_000)));

    // when
    boolean isNewAgain = get(unit.keep("one", new InstanceSettings(2_000, 9_000)));
    InstanceSettings both = get(unit.longest());
    get(unit.remove("two"));

    // then
    assertThat(nobody).isEqualTo(new InstanceSettings(0, 0));
    assertThat(isNew).isTrue();
    assertThat(isNewAgain).isFalse();
    assertThat(both).isEqualTo(new InstanceSettings(5_000, 9_000));
    assertThat(get(unit.longest())).isEqualTo(new InstanceSettings(2_000, 9_000));
  }

  @Test
  void shouldListTheInstancesThatWereSeenLately() {
    // given
    get(unit.keep("one", new InstanceSettings(1, 2)));
    get(unit.keep("two", new InstanceSettings(1, 2)));
    get(unit.keep("minutes ago", new InstanceSettings(1, 2)));
    database.sql(
        "UPDATE service_instance SET seen_at = seen_at - 60000 WHERE instance_id LIKE 'm%'");

    // when
    List<String> running = get(unit.running());

    // then
    assertThat(running).containsExactly("one", "two");
  }

  @Test
  void shouldCountAnInstanceForADayAfterItWasSeen() {
    // given
    get(unit.keep("hours ago", new InstanceSettings(5_000, 6_000)));
    get(unit.keep("days ago", new InstanceSettings(8_000, 9_000)));
    database.sql(
        "UPDATE service_instance SET seen_at = seen_at - 80000000 WHERE instance_id LIKE 'h%'");
    database.sql(
        "UPDATE service_instance SET seen_at = seen_at - 90000000 WHERE instance_id LIKE 'd%'");

    // when
    InstanceSettings longest = get(unit.longest());
    get(unit.keep("new", new InstanceSettings(1, 2)));

    // then
    assertThat(longest).isEqualTo(new InstanceSettings(5_000, 6_000));
    assertThat(database.sql("SELECT instance_id FROM service_instance").size()).isEqualTo(2);
  }

  @Test
  void shouldRaiseTheLevelOnceNoInstanceIsOfALowerOne() {
    // given
    found();
    database.sql(OLD);

    // when
    boolean besideOld = get(unit.raise(NEXT));
    boolean toItsOwn = get(unit.raise(Levels.LEVEL));
    int markedBesideOld = marked();
    database.sql(OLD);
    get(unit.remove("old"));
    boolean alone = get(unit.raise(NEXT));
    boolean again = get(unit.raise(NEXT));

    // then
    assertThat(List.of(besideOld, toItsOwn, alone, again)).containsExactly(false, true, true, true);
    assertThat(markedBesideOld).isZero();
    assertThat(marked()).isEqualTo(1);
    assertThat(database.sql("SELECT level FROM instance_level")).hasSize(1);
  }

  @Test
  void shouldEndTheStartOfAnInstanceOfALowerLevelOnceItIsRaised() {
    // given
    found();
    get(unit.raise(NEXT));

    // when
    Future<Void> agreed = foundation.orderLog(2, "topic", () -> Future.failedFuture("not asked"));

    // then
    assertThatThrownBy(() -> get(agreed))
        .isInstanceOf(IdentityMismatchException.class)
        .hasMessageContaining("level " + NEXT);
  }

  /** It may have compared its identity before, and then it does nothing until it has its row. */
  @Test
  void shouldLetNoInstanceOfALowerLevelInOnceItIsRaised() {
    // given
    found();
    database.sql(OLD);
    database.sql("UPDATE service_instance SET seen_at = seen_at - 90000000 WHERE level < " + NEXT);

    // when
    boolean raised = get(unit.raise(NEXT));

    // then
    assertThat(raised).isTrue();
    assertThatThrownBy(() -> database.sql(OLD)).hasMessageContaining("instance_of_level");
    assertThat(database.sql("SELECT instance_id FROM service_instance").size()).isEqualTo(1);
  }

  @Test
  void shouldWaitForAnInstanceOfALowerLevelThatIsJustStarting() {
    // given
    found();
    starting = database.connect();
    get(starting.query("START TRANSACTION").execute());
    get(starting.query(OLD).execute());

    // when
    Future<Boolean> raised = unit.raise(NEXT);
    await().until(InstancesIT::waits);
    get(starting.query("COMMIT").execute());

    // then
    assertThat(get(raised)).isFalse();
    assertThat(marked()).isZero();
  }

  @Test
  void shouldRefuseAnotherGroupAndNameBoth() {
    // given
    get(foundation.group("first"));

    // when
    get(foundation.group("first"));

    // then
    assertThatThrownBy(() -> get(foundation.group("second")))
        .isInstanceOf(IdentityMismatchException.class)
        .hasMessageContaining("kafka.group first")
        .hasMessageContaining("second");
  }
}
