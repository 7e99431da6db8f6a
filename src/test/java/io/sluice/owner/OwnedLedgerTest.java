package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.Ledger.Batch;
import io.sluice.ledger.Step.Result;
import io.sluice.orderlog.InMemoryEvents;
import io.sluice.orderlog.InMemoryOrderLog;
import io.sluice.owner.Ownership.FenceLostException;
import io.sluice.stock.StockStore;
import io.sluice.testkit.Ports;
import io.sluice.testkit.process.LogWatch;
import io.vertx.core.Future;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an owner makes of a fence in the ledger that is not the one it knows. */
class OwnedLedgerTest {
  private static final int PARTITION = 0;

  private int lost;
  private Fence now = new Fence(PARTITION, 3, 10);
  private final Ownership ownership =
      new Ownership(new Fence(PARTITION, 3, 10), new KnownFences(), () -> lost++);
  private final OwnedLedger unit =
      OwnerScene.context(
              ownership,
              Ports.partly(Ledger.class, this),
              Ports.partly(StockStore.class, this),
              new InMemoryOrderLog(),
              new InMemoryEvents())
          .owned();

  Future<List<Result>> apply(List<Batch> round) {
    return Future.succeededFuture(List.of(new Result.FenceLost(now)));
  }

  /** As after a commit whose reply was lost: the caller must begin behind it. */
  @Test
  void shouldGoOnBehindWhatTheLedgerHasWhenItIsFurther() {
    // given
    now = new Fence(PARTITION, 3, 12);

    // when
    Future<Result.Applied> applied = unit.advance(12, List.of());

    // then
    assertThat(applied.cause()).isInstanceOf(OwnedLedger.FenceMovedException.class);
    assertThat(ownership.fence().nextOffset()).isEqualTo(12);
    assertThat(lost).isZero();
  }

  @ParameterizedTest
  @CsvSource({"4, 10, false", "4, 12, false", "3, 9, true", "2, 10, true"})
  void shouldStepDownAndSaySoOnlyWhenTheLedgerIsBehind(long term, long next, boolean told) {
    // given
    now = new Fence(PARTITION, term, next);

    // when
    try (LogWatch logs = LogWatch.of(OwnedLedger.class)) {
      Future<Result.Applied> applied = unit.apply(List.of());

      // then
      assertThat(applied.cause()).isInstanceOf(FenceLostException.class);
      assertThat(lost).isEqualTo(1);
      assertThat(logs.lines()).hasSize(told ? 1 : 0);
    }
  }
}
