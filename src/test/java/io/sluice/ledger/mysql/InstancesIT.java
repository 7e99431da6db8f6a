package io.sluice.ledger.mysql;

import static io.sluice.db.TestDatabase.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.db.TestDatabase;
import io.sluice.ledger.IdentityMismatchException;
import io.sluice.ledger.Instances;
import io.sluice.ledger.Instances.InstanceSettings;
import io.sluice.ledger.LedgerIdentity;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The settings that instances publish to each other through the ledger. */
class InstancesIT {
  @AutoClose private static final TestDatabase database = TestDatabase.migrated(2, 10_000);

  private final Instances unit = new MySqlInstances(database.database());

  @BeforeEach
  void nobodyRuns() {
    database.sql("DELETE FROM service_instance");
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
  void shouldRefuseAnotherGroupAndNameBoth() {
    // given
    LedgerIdentity foundation = new MySqlLedgerIdentity(database.database());
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
