package io.sluice.stock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.stock.StockStore.Stamp;
import io.vertx.core.Future;
import org.junit.jupiter.api.Test;

class StampReaderTest {
  private String runId = "a";
  private long changes;
  private boolean counts = true;
  private boolean takesWrites = true;
  private int attempts;
  private final StampReader unit =
      new StampReader(() -> Future.succeededFuture(new RedisInfo(info())), this::write);

  @Test
  void shouldTryOnceWhetherTheServerCounts() {
    // when
    Stamp first = unit.read().result();
    Stamp second = unit.read().result();
    changes++;
    Stamp third = unit.read().result();

    // then
    assertThat(attempts).isEqualTo(1);
    assertThat(second.isUnchangedSince(first)).isTrue();
    assertThat(third.isUnchangedSince(second)).isFalse();
  }

  /** Grants would stay unbooked without being noticed. */
  @Test
  void shouldTellNothingWhenTheServerDoesNotCount() {
    // given
    counts = false;

    // when
    Stamp first = unit.read().result();
    Stamp second = unit.read().result();

    // then
    assertThat(second.isUnchangedSince(first)).isFalse();
    assertThat(second.history()).isEqualTo(first.history()).startsWith("a:");
    assertThat(attempts).isEqualTo(1);
  }

  @Test
  void shouldTryAgainWhenTheServerIsAnotherProcess() {
    // given
    unit.read();

    // when
    runId = "b";
    counts = false;
    Stamp other = unit.read().result();

    // then
    assertThat(attempts).isEqualTo(2);
    assertThat(other.writes()).isEmpty();
  }

  /** Its history is needed all the same. */
  @Test
  void shouldStillNameTheHistoryWhenTheServerTakesNoWrites() {
    // given
    takesWrites = false;
    Stamp refused = unit.read().result();

    // when
    takesWrites = true;
    Stamp taken = unit.read().result();

    // then
    assertThat(refused.history()).startsWith("a:");
    assertThat(refused.writes()).isEmpty();
    assertThat(taken.writes()).isNotEmpty();
  }

  private Future<Void> write() {
    attempts++;
    if (!takesWrites) {
      return Future.failedFuture("NOREPLICAS");
    }
    changes++;
    return Future.succeededFuture();
  }

  private String info() {
    return "# Server\r\nrun_id:%s\r\nmaster_replid:c\r\nrdb_changes_since_last_save:%d\r\nrdb_last_save_time:1\r\ntotal_forks:0\r\n"
        .formatted(runId, counts ? changes : 0);
  }
}
