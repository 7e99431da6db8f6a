package io.sluice.ledger;

import static io.sluice.db.TestDatabase.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.db.TestDatabase;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MySqlFoundationIT {
  private TestDatabase database;
  private MySqlFoundation unit;

  @BeforeEach
  void open() {
    database = TestDatabase.migrated(4, 10_000);
    unit = new MySqlFoundation(database.database());
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void shouldAgreeOnOneSecretWhenSeveralInstancesStartTogether() {
    // given
    List<Future<byte[]>> starts = new ArrayList<>();

    // when
    for (int i = 0; i < 4; i++) {
      starts.add(new MySqlFoundation(database.database()).tokenSecret(""));
    }

    // then
    byte[] secret = get(starts.get(0));
    assertThat(secret).hasSize(16);
    assertThat(starts).allSatisfy(start -> assertThat(get(start)).isEqualTo(secret));
    assertThat(get(unit.tokenSecret(""))).isEqualTo(secret);
  }

  @Test
  void shouldDeriveTheSecretWhenOneIsConfigured() {
    // given
    byte[] first = get(unit.tokenSecret("correct horse"));

    // when
    byte[] again = get(unit.tokenSecret("correct horse"));

    // then
    assertThat(again).isEqualTo(first).hasSize(16);
    String kept = database.sql("SELECT value FROM foundation").iterator().next().getString(0);
    assertThat(kept).as("a fingerprint only").startsWith("configured:").hasSize(11 + 64);
  }

  @Test
  void shouldStopTheStartWhenAnotherSecretIsConfigured() {
    // given
    get(unit.tokenSecret("correct horse"));

    // when
    var other = mismatch(unit.tokenSecret("battery staple"));
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
    var failure = mismatch(unit.tokenSecret("correct horse"));

    // then
    assertThat(failure).hasMessageContaining("auth.token_secret").hasMessageContaining("drawn");
  }

  @Test
  void shouldNameBothWhenTheOrderLogIsAnother() {
    // given
    get(unit.orderLog(8, "topic-a"));
    get(unit.orderLog(8, "topic-a"));

    // when
    var otherCount = mismatch(unit.orderLog(9, "topic-a"));
    var otherTopic = mismatch(unit.orderLog(8, "topic-b"));

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
      starts.add(unit.orderLog(8 + i % 2, "topic-" + i % 2));
    }

    // then
    get(Future.join(starts).otherwiseEmpty());
    assertThat(starts).filteredOn(Future::succeeded).hasSize(2);
    assertThat(starts)
        .filteredOn(Future::failed)
        .allSatisfy(
            start -> assertThat(start.cause()).isInstanceOf(FoundationMismatchException.class));
  }

  private static FoundationMismatchException mismatch(Future<?> start) {
    return catchThrowableOfType(FoundationMismatchException.class, () -> get(start));
  }
}
