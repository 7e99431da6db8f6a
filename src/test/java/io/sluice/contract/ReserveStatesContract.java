package io.sluice.contract;

import static io.sluice.contract.StockUnderTest.FREE_FOR_ALL;
import static io.sluice.contract.StockUnderTest.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.Refusal;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.GrantOutcome.Already;
import io.sluice.stock.GrantOutcome.Granted;
import io.sluice.stock.GrantOutcome.Refused;
import io.sluice.stock.StockStore.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The precedence of answers, and when a bucket sells. */
interface ReserveStatesContract extends StockContract {
  int HOUR_MS = 3_600_000;

  @Test
  default void shouldGiveTheFirstReasonThatAppliesWhenSeveralDo() {
    // given
    SkuSettings limited = new SkuSettings(300, 1, 0, 0);
    BucketId bucket = unit().openBucket(1, SkuState.OPEN, limited);
    Grant own = unit().grant(bucket, request(bucket, 1, "alice", 1));
    SkuSettings past = new SkuSettings(300, 1, 0, own.grantedAtMs() - HOUR_MS);
    Request wanted = request(bucket, 2, "alice", 1);

    // when
    unit().restock(bucket, 11, 1, SkuState.FROZEN, past);
    var frozen = unit().reserve(bucket, wanted, request(bucket, 1, "alice", 2));
    unit().restock(bucket, 12, 1, SkuState.OPEN, past);
    var late = unit().reserve(bucket, wanted);
    unit().restock(bucket, 13, 1, SkuState.OPEN, limited);
    var limit = unit().reserve(bucket, wanted);
    unit().restock(bucket, 14, 1, SkuState.OPEN, new SkuSettings(300, 2, 0, 0));
    var soldOut = unit().reserve(bucket, wanted);
    unit().restock(bucket, 15, 2, SkuState.OPEN, new SkuSettings(300, 2, 0, 0));
    Grant granted = unit().grantOnceOnSale(bucket, wanted);

    // then
    assertThat(frozen).containsExactly(refused(Refusal.BUSY), refused(Refusal.KEY_MISMATCH));
    assertThat(late).containsExactly(refused(Refusal.NOT_OPEN));
    assertThat(limit).containsExactly(refused(Refusal.LIMIT_REACHED));
    assertThat(soldOut).containsExactly(refused(Refusal.SOLD_OUT));
    assertThat(granted.token()).isEqualTo(wanted.token());
  }

  @ParameterizedTest
  @CsvSource({"FROZEN", "CLOSED", "SCHEDULED"})
  default void shouldTellAHolderItsOwnAnswerWhenTheBucketDoesNotSell(SkuState state) {
    // given
    BucketId bucket = unit().openBucket(2);
    Grant live = unit().grant(bucket, request(bucket, 1, 1));
    unit().release(unit().grant(bucket, request(bucket, 2, 1)));
    unit().restock(bucket, 11, 1, state, new SkuSettings(300, 0, live.grantedAtMs() + HOUR_MS, 0));

    // when
    var outcomes = unit().reserve(bucket, request(bucket, 1, 1), request(bucket, 2, 1));

    // then
    assertThat(outcomes).containsExactly(new Already(live, true), refused(Refusal.ORDER_ENDED));
  }

  @ParameterizedTest
  @CsvSource({
    // state, opens and closes in hours from now (empty: not set), answer
    "SCHEDULED,  1,   , NOT_OPEN",
    "SCHEDULED, -1,   , ",
    "SCHEDULED,   ,   , ",
    "SCHEDULED, -2, -1, NOT_OPEN",
    "SCHEDULED, -1,  1, ",
    "OPEN,       1,   , ",
    "OPEN,        ,  1, ",
    "OPEN,        , -1, NOT_OPEN",
    "CLOSED,    -1,  1, NOT_OPEN",
    "FROZEN,    -1,  1, BUSY",
    "FROZEN,     1, -1, BUSY",
  })
  default void shouldSellWhenStateAndClockAllowIt(
      SkuState state, Integer opensInHours, Integer closesInHours, Refusal refusal) {
    // given
    BucketId bucket = unit().openBucket(1);
    long now = unit().snapshot(bucket).nowMs();
    long opensAt = opensInHours == null ? 0 : now + (long) HOUR_MS * opensInHours;
    long closesAt = closesInHours == null ? 0 : now + (long) HOUR_MS * closesInHours;
    unit().restock(bucket, 11, 1, state, new SkuSettings(300, 0, opensAt, closesAt));

    // when
    GrantOutcome outcome = unit().reserve(bucket, request(bucket, 1, 1)).get(0);

    // then
    if (refusal == null) {
      assertThat(outcome).isInstanceOf(Granted.class);
    } else {
      assertThat(outcome).isEqualTo(refused(refusal));
    }
    assertThat(state.at(now, opensAt, closesAt) == SkuState.OPEN).isEqualTo(refusal == null);
  }

  @Test
  default void shouldStillRefuseNewOnesWhenFrozenAndFull() {
    // given
    BucketId bucket = unit().openBucket(0, SkuState.FROZEN, FREE_FOR_ALL);

    // when
    var outcomes = unit().reserve(bucket, request(bucket, 1, 1));

    // then
    assertThat(outcomes).containsExactly(refused(Refusal.BUSY));
  }

  private static GrantOutcome refused(Refusal refusal) {
    return new Refused(refusal);
  }
}
