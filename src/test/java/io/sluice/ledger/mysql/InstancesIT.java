package io.sluice.ledger.mysql;

import static io.sluice.db.TestDatabase.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.db.TestDatabase;
import io.sluice.ledger.Buckets.BucketRow;
import io.sluice.ledger.Fence;
import io.sluice.ledger.IdentityMismatchException;
import io.sluice.ledger.Instances;
import io.sluice.ledger.Instances.InstanceSettings;
import io.sluice.ledger.LedgerIdentity;
import io.sluice.ledger.Levels;
import io.sluice.ledger.SaleLedger.NewSale;
import io.sluice.ledger.SaleLedger.PutResult;
import io.sluice.ledger.SaleLedger.SaleSku;
import io.sluice.ledger.SkuLedger.RestockResult;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.model.IfMatch;
import io.sluice.model.Sale.SaleTerms;
import io.sluice.model.SkuSettings.Watermarks;
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

  private final Instances unit = new MySqlInstances(database.database());

  /** What the release before writes: it knows of no level. */
  private static final String OLD =
      "INSERT INTO service_instance (instance_id, grant_deadline_ms, sweep_after_ms, seen_at)"
          + " SELECT 'old', 1, 2, CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)"
          + " ON DUPLICATE KEY UPDATE seen_at = CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)";

  private static final long SKU = 7;

  private final MySqlSkuLedger skus = new MySqlSkuLedger(database.database(), 2);
  private final MySqlLedger ledger = new MySqlLedger(database.database(), database.meters());
  private final Levels levels = new MySqlLevels(database.database());
  private MySQLConnection starting;
  private final LedgerIdentity foundation = new MySqlLedgerIdentity(database.database());

  @BeforeEach
  void nobodyRuns() {
    database.sql("DELETE FROM service_instance");
    database.sql("DELETE FROM foundation");
    database.sql("INSERT IGNORE INTO instance_level (level) VALUES (2), (3), (4), (5)");
  }

  private void found() {
    get(foundation.orderLog(2, "topic", () -> Future.succeededFuture(Map.of(0, 0L, 1, 0L))));
    get(unit.keep("new", new InstanceSettings(1, 2)));
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
    return database.sql("SELECT 1 FROM foundation WHERE value = '2 in format 2, level 3'").size();
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

  /** An instance of the release before has no level, and may not start once it is raised. */
  @Test
  void shouldRaiseTheLevelOnceNoInstanceIsOfALowerOne() {
    // given
    found();
    database.sql(OLD);

    // when
    boolean besideOld = get(levels.raise(Levels.NOTES));
    int markedBesideOld = marked();
    database.sql(OLD);
    get(unit.remove("old"));
    boolean alone = get(levels.raise(Levels.NOTES));
    boolean again = get(levels.raise(Levels.NOTES));

    // then
    assertThat(List.of(besideOld, alone, again)).containsExactly(false, true, true);
    assertThat(markedBesideOld).isZero();
    assertThat(marked()).isEqualTo(1);
    get(foundation.orderLog(2, "topic", () -> Future.failedFuture("not asked")));
    assertThat(get(unit.keep("new", new InstanceSettings(1, 2)))).isFalse();
    assertThat(get(unit.keep("newer", new InstanceSettings(1, 2)))).isTrue();
  }

  /** A level is no obstacle to what a lower one has. */
  @Test
  void shouldRaiseTheLevelStepByStep() {
    // given
    found();
    database.sql(
        "INSERT INTO service_instance (instance_id, grant_deadline_ms, sweep_after_ms, level,"
            + " seen_at) SELECT 'before', 1, 2, 3, MAX(CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS"
            + " SIGNED)) FROM foundation");

    // when
    List<Boolean> beside = List.of(raised(Levels.NOTES), raised(Levels.ENDS), raised(Levels.NOTES));
    get(unit.remove("before"));
    List<Boolean> alone = List.of(raised(Levels.ENDS), raised(Levels.ENDS), raised(Levels.NOTES));

    // then
    assertThat(beside).containsExactly(true, false, true);
    assertThat(alone).containsExactly(true, true, true);
    get(foundation.orderLog(2, "topic", () -> Future.failedFuture("not asked")));
    assertThat(database.sql("SELECT level FROM instance_level"))
        .hasSize(Levels.LEVEL - Levels.ENDS + 1);
  }

  /** Neither does it know a restock of this release, nor this one a restock that it repeats. */
  @Test
  void shouldKnowARestockByTheIdAloneInASaleThatBeganBesideTheReleaseBefore() {
    // given
    found();
    database.sql(
        "INSERT INTO service_instance (instance_id, grant_deadline_ms, sweep_after_ms, level,"
            + " seen_at) SELECT 'before', 1, 2, 5, MAX(CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS"
            + " SIGNED)) FROM foundation");
    putSale(1);
    RestockResult first = get(skus.restock(SKU, "r1", 5, IfMatch.NOTHING));

    // when
    end();
    putSale(2);
    RestockResult beside = get(skus.restock(SKU, "r1", 4, IfMatch.NOTHING));
    get(unit.remove("before"));
    boolean raised = raised(Levels.CHECKED);
    RestockResult raisedMeanwhile = get(skus.restock(SKU, "r1", 4, IfMatch.NOTHING));
    end();
    putSale(3);
    RestockResult alone = get(skus.restock(SKU, "r1", 4, IfMatch.NOTHING));

    // then
    assertThat(List.of(beside, raisedMeanwhile)).containsOnly(new RestockResult.Mismatch(5));
    assertThat(raised).isTrue();
    assertThat(List.of(first, alone))
        .allSatisfy(result -> assertThat(result).isInstanceOf(RestockResult.Done.class));
  }

  private void putSale(int number) {
    SaleSku one = new SaleSku(SKU, 10, 1, 2, Watermarks.DEFAULT);
    SaleTerms open = new SaleTerms(0, 0, 60, false);
    assertThat(
            get(
                new MySqlSaleLedger(database.database(), database.database(), 2)
                    .put(new NewSale("sale-" + number, "a sale", false, open, List.of(one)))))
        .isInstanceOf(PutResult.Done.class);
  }

  private void end() {
    get(skus.change(SKU, StateChange.END, IfMatch.NOTHING));
    BucketRow bucket = get(skus.bucketsOf(SKU)).get(0);
    Fence owner = get(ledger.takeOver(bucket.partition(), 0));
    get(ledger.raiseEpoch(owner, bucket.id(), 0));
  }

  private boolean raised(int level) {
    return get(levels.raise(level));
  }

  /** It may have compared its identity before, and then it does nothing until it has its row. */
  @Test
  void shouldLetNoInstanceOfALowerLevelInOnceItIsRaised() {
    // given
    found();
    database.sql(OLD);
    database.sql("UPDATE service_instance SET seen_at = seen_at - 90000000 WHERE level < 3");

    // when
    boolean raised = get(levels.raise(Levels.NOTES));

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
    Future<Boolean> raised = levels.raise(Levels.NOTES);
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
