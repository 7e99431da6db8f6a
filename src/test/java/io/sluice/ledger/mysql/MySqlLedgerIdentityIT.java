package io.sluice.ledger.mysql;

import static io.sluice.db.TestDatabase.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.db.TestDatabase;
import io.sluice.ledger.Fence;
import io.sluice.ledger.IdentityMismatchException;
import io.sluice.ledger.LedgerKeys;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MySqlLedgerIdentityIT {
  @AutoClose private static final TestDatabase database = TestDatabase.migrated(4, 10_000);

  private final MySqlLedgerIdentity unit = new MySqlLedgerIdentity(database.database());
  private final MySqlLedger ledger = new MySqlLedger(database.database(), database.meters());

  @BeforeEach
  void nothingIsFounded() {
    List.of("foundation", "partition_fence").forEach(table -> database.sql("DELETE FROM " + table));
  }

  @Test
  void shouldAgreeOnOneSecretWhenSeveralInstancesStartTogether() {
    // given
    List<Future<byte[]>> starts = new ArrayList<>();

    // when
    for (int i = 0; i < 4; i++) {
      starts.add(new MySqlLedgerIdentity(database.database()).tokenSecret(""));
    }

    // then
    byte[] secret = get(starts.get(0));
    assertThat(secret).hasSize(16);
    assertThat(starts).allSatisfy(start -> assertThat(get(start)).isEqualTo(secret));
    assertThat(get(unit.tokenSecret(""))).isEqualTo(secret);
  }

  @Test
  void shouldKeepWhatTellsTheLedgerFromOthersWhenItWasDrawnOnce() {
    // when
    LedgerKeys first = get(unit.keys());
    get(unit.orderLog(1, "topic-a", ends(1)));
    LedgerKeys again = get(new MySqlLedgerIdentity(database.database()).keys());

    // then
    assertThat(again.id()).isEqualTo(first.id()).matches("[0-9a-f]{12}");
    assertThat(again.eventKey()).isEqualTo(first.eventKey()).hasSize(32);
  }

  @Test
  void shouldNameBothWhenAnotherIdWasDrawnMeanwhile() {
    // given
    LedgerKeys drawn = get(unit.keys());

    // when
    var failure = mismatch(unit.expect(new LedgerKeys("0a1b2c3d4e5f", new byte[32])));

    // then
    assertThat(failure)
        .hasMessageContaining("ledger 0a1b2c3d4e5f,")
        .hasMessageContaining("ledger " + drawn.id() + ";");
  }

  @Test
  void shouldDeriveTheSecretWhenOneIsConfigured() {
    // given
    byte[] first = get(unit.tokenSecret("correct horse battery"));

    // when
    byte[] again = get(unit.tokenSecret("correct horse battery"));

    // then
    assertThat(again).isEqualTo(first).hasSize(16);
    String kept = database.sql("SELECT value FROM foundation").iterator().next().getString(0);
    assertThat(kept).as("a fingerprint only").startsWith("configured:").hasSize(11 + 64);
  }

  @Test
  void shouldStopTheStartWhenAnotherSecretIsConfigured() {
    // given
    get(unit.tokenSecret("correct horse battery"));

    // when
    var other = mismatch(unit.tokenSecret("battery staple correct"));
    var none = mismatch(unit.tokenSecret(""));

    // then
    assertThat(List.of(other, none))
        .allSatisfy(failure -> assertThat(failure).hasMessageContaining("auth.token_secret"));
  }

  @Test
  void shouldStopTheStartWhenASecretIsConfiguredLater() {
    // given
    get(unit.tokenSecret(""));

    // when
    var failure = mismatch(unit.tokenSecret("correct horse battery"));

    // then
    assertThat(failure).hasMessageContaining("auth.token_secret").hasMessageContaining("drawn");
  }

  @Test
  void shouldNameBothWhenTheOrderLogIsAnother() {
    // given
    get(unit.orderLog(8, "topic-a", ends(8)));
    get(unit.orderLog(8, "topic-a", ends(8)));

    // when
    var otherCount = mismatch(unit.orderLog(9, "topic-a", ends(9)));
    var otherTopic = mismatch(unit.orderLog(8, "topic-b", ends(8)));

    // then
    assertThat(otherCount)
        .hasMessageContaining("partitions 8")
        .hasMessageContaining("partitions 9");
    assertThat(otherTopic).hasMessageContaining("topic-a").hasMessageContaining("topic-b");
  }

  @Test
  void shouldLetOneWinWhenTwoStartWithDifferentLogs() {
    // given
    List<Future<Void>> starts = new ArrayList<>();

    // when
    for (int i = 0; i < 4; i++) {
      starts.add(unit.orderLog(8 + i % 2, "topic-" + i % 2, ends(8 + i % 2)));
    }

    // then
    get(Future.join(starts).otherwiseEmpty());
    assertThat(starts).filteredOn(Future::succeeded).hasSize(2);
    assertThat(starts)
        .filteredOn(Future::failed)
        .allSatisfy(
            start -> assertThat(start.cause()).isInstanceOf(IdentityMismatchException.class));
  }

  /** Releases that know nothing of formats compare the number of partitions with this value. */
  @Test
  void shouldStopTheStartOfAReleaseOfAnotherFormat() {
    // given
    get(unit.orderLog(2, "topic-a", ends(2)));
    String kept =
        database
            .sql("SELECT value FROM foundation WHERE name = 'kafka_partitions'")
            .iterator()
            .next()
            .getString(0);

    // when
    database.sql(
        "UPDATE foundation SET value = '2 in format 2, level 6' WHERE name = 'kafka_partitions'");
    var failure = mismatch(unit.orderLog(2, "topic-a", ends(2)));

    // then
    assertThat(kept).isEqualTo("2 in format 3, level 6");
    assertThat(failure)
        .hasMessageContaining("2 in format 3, level 6")
        .hasMessageContaining("2 in format 2, level 6");
  }

  @Test
  void shouldBeginWhereTheOldLogEndsWhenTheLedgerIsFounded() {
    // when
    get(unit.orderLog(3, "topic-a", () -> Future.succeededFuture(Map.of(0, 70L, 1, 0L, 2, 9L))));
    Map<Integer, Fence> founded = get(ledger.fences());

    // then
    assertThat(founded.values())
        .containsExactlyInAnyOrder(new Fence(0, 0, 70), new Fence(1, 0, 0), new Fence(2, 0, 9));
    assertThat(get(ledger.takeOver(0, 0)).nextOffset()).isEqualTo(70);
  }

  @Test
  void shouldBeginWhereTheLedgerWasFoundedWhenAFenceIsMissing() {
    // given
    get(unit.orderLog(3, "topic-a", () -> Future.succeededFuture(Map.of(0, 7L, 1, 0L, 2, 9L))));
    database.sql("DELETE FROM partition_fence");

    // when
    Fence first = get(ledger.takeOver(2, 0));
    Fence second = get(ledger.takeOver(2, 0));

    // then
    assertThat(List.of(first.nextOffset(), second.nextOffset())).containsExactly(9L, 9L);
    assertThat(second.term()).isGreaterThan(first.term());
  }

  @Test
  void shouldNoteOneEndWhenSeveralFoundTogetherAndAskNobodyAfterwards() {
    // given
    List<Future<Void>> starts = new ArrayList<>();

    // when
    for (int i = 1; i <= 6; i++) {
      long end = i;
      starts.add(
          new MySqlLedgerIdentity(database.database())
              .orderLog(2, "topic-a", () -> Future.succeededFuture(Map.of(0, end, 1, end))));
    }
    get(Future.join(starts));
    get(unit.orderLog(2, "topic-a", () -> Future.failedFuture("Expected no question")));

    // then
    List<String> begins = new ArrayList<>();
    database
        .sql("SELECT value FROM foundation WHERE name LIKE 'kafka_begin.%'")
        .forEach(row -> begins.add(row.getString(0)));
    assertThat(begins).hasSize(2);
    assertThat(Set.copyOf(begins)).hasSize(1);
    assertThat(get(ledger.fences()).values())
        .allMatch(fence -> begins.contains(String.valueOf(fence.nextOffset())));
  }

  @Test
  void shouldFoundNothingWhenTheEndOfAPartitionIsUnknown() {
    // when
    Future<Void> start =
        unit.orderLog(3, "topic-a", () -> Future.succeededFuture(Map.of(0, 70L, 2, 9L)));

    // then
    get(start.otherwiseEmpty());
    assertThat(start.cause()).hasMessageContaining("[1]");
    assertThat(database.sql("SELECT value FROM foundation").size()).isZero();
    get(unit.orderLog(3, "topic-a", ends(3)));
  }

  @Test
  void shouldNoteNothingWhenTheLogIsNotTheOneThatWasFoundedMeanwhile() {
    // given
    Supplier<Future<Map<Integer, Long>>> faster =
        () -> unit.orderLog(2, "topic-a", ends(2)).map(founded -> Map.of(0, 5L, 1, 5L, 2, 5L));

    // when
    var other = mismatch(unit.orderLog(3, "topic-b", faster));

    // then
    assertThat(other).hasMessageContaining("topic-a").hasMessageContaining("topic-b");
    assertThat(database.sql("SELECT value FROM foundation WHERE name LIKE 'kafka_begin.%'").size())
        .isEqualTo(2);
  }

  private static Supplier<Future<Map<Integer, Long>>> ends(int partitions) {
    return () ->
        Future.succeededFuture(
            IntStream.range(0, partitions).boxed().collect(Collectors.toMap(n -> n, n -> 0L)));
  }

  private static IdentityMismatchException mismatch(Future<?> start) {
    return catchThrowableOfType(IdentityMismatchException.class, () -> get(start));
  }
}
