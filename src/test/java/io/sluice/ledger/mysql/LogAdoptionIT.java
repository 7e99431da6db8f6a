package io.sluice.ledger.mysql;

import static io.sluice.db.TestDatabase.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.db.TestDatabase;
import io.sluice.ledger.Fence;
import io.sluice.ledger.IdentityMismatchException;
import io.sluice.ledger.Ledger.InstanceSettings;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LogAdoptionIT {
  private static final Map<Integer, Long> OLD = Map.of(0, 70L, 1, 9L);
  private static final Map<Integer, Long> NEW = Map.of(0, 0L, 1, 3L);

  @AutoClose private static final TestDatabase database = TestDatabase.migrated(4, 10_000);

  private final MySqlLedgerIdentity unit = new MySqlLedgerIdentity(database.database());
  private final MySqlLedger ledger = new MySqlLedger(database.database(), database.meters());

  @BeforeEach
  void nothingIsFounded() {
    List.of("foundation", "partition_fence", "service_instance", "owner_request")
        .forEach(table -> database.sql("DELETE FROM " + table));
  }

  @Test
  void shouldBeginAnewAndAskForARebuildOfAllWhenTheOldLogIsLost() {
    // given
    found();
    Fence owner = get(ledger.takeOver(0, 0));

    // when
    List<Fence> before = get(unit.adoptLog(2, "new", NEW));

    // then
    assertThat(before).extracting(Fence::nextOffset).containsExactlyInAnyOrder(70L, 9L);
    Map<Integer, Fence> fences = get(ledger.fences());
    assertThat(fences.get(0).nextOffset()).isZero();
    assertThat(fences.get(1).nextOffset()).isEqualTo(3);
    assertThat(fences.get(0).term()).isGreaterThan(owner.term());
    assertThat(get(Future.all(ledger.hasLost(0), ledger.hasLost(1))).<Boolean>list())
        .containsOnly(true);
    get(unit.orderLog(2, "new", () -> Future.failedFuture("Expected no question")));
  }

  @Test
  void shouldForeseeWhatWouldBeGivenUpAndChangeNothingWhenTheOldLogIsLost() {
    // given
    found();

    // when
    List<Fence> foreseen = get(unit.adoptable(2, "new"));

    // then
    assertThat(foreseen).containsExactlyInAnyOrder(new Fence(0, 0, 70), new Fence(1, 0, 9));
    assertUnchanged();
  }

  @Test
  void shouldForeseeARefusalWhenAdoptingWouldBeRefused() {
    // given
    String unfounded = refusal(unit.adoptable(2, "new"));
    found();

    // when
    String known = refusal(unit.adoptable(2, "old"));
    String others = refusal(unit.adoptable(3, "new"));
    get(new MySqlInstances(database.database()).keep("one", new InstanceSettings(1, 2)));
    String alive = refusal(unit.adoptable(2, "new"));

    // then
    assertThat(unfounded).contains("none yet");
    assertThat(known).contains("topic id old is");
    assertThat(others).contains("Expected kafka.partitions 2");
    assertThat(alive).contains("but 1 was seen within 30 s");
    assertUnchanged();
  }

  @Test
  void shouldAdoptOnceWhenTwoInstancesDoItAtTheSameTime() {
    // given
    found();

    // when
    Future<List<Fence>> one = unit.adoptLog(2, "new", NEW);
    Future<List<Fence>> other =
        new MySqlLedgerIdentity(database.database()).adoptLog(2, "new", NEW);

    // then
    get(Future.join(one, other).otherwiseEmpty());
    assertThat(List.of(one, other)).filteredOn(Future::succeeded).hasSize(1);
    assertThat(get(ledger.fences()).get(1).nextOffset()).isEqualTo(3);
  }

  @Test
  void shouldChangeNothingAndSayWhyWhenThereIsNothingToAdopt() {
    // given
    String unfounded = refusal(unit.adoptLog(2, "new", NEW));
    found();

    // when
    String known = refusal(unit.adoptLog(2, "old", NEW));
    String others = refusal(unit.adoptLog(3, "new", Map.of(0, 0L, 1, 0L, 2, 0L)));

    // then
    assertThat(unfounded).contains("none yet");
    assertThat(known).contains("topic id old is", "start without --adopt-log");
    assertThat(others).contains("Expected kafka.partitions 2", "but it is 3");
    assertUnchanged();
  }

  @Test
  void shouldChangeNothingWhenAnotherInstanceIsAlive() {
    // given
    found();
    get(new MySqlInstances(database.database()).keep("one", new InstanceSettings(1, 2)));

    // when
    String alive = refusal(unit.adoptLog(2, "new", NEW));

    // then
    assertThat(alive).contains("but 1 was seen within 30 s");
    assertUnchanged();
    database.sql("UPDATE service_instance SET seen_at = seen_at - 30001");
    assertThat(get(unit.adoptLog(2, "new", NEW))).hasSize(2);
  }

  private void found() {
    get(unit.orderLog(2, "old", () -> Future.succeededFuture(OLD)));
  }

  private void assertUnchanged() {
    assertThat(get(ledger.fences()).values())
        .containsExactlyInAnyOrder(new Fence(0, 0, 70), new Fence(1, 0, 9));
    assertThat(get(ledger.hasLost(0))).isFalse();
    get(unit.orderLog(2, "old", () -> Future.failedFuture("Expected no question")));
  }

  private static String refusal(Future<?> adoption) {
    return catchThrowableOfType(IdentityMismatchException.class, () -> get(adoption)).getMessage();
  }
}
