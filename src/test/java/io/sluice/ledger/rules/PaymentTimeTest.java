package io.sluice.ledger.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The time to pay for each offset of Redis' clock from the ledger's when a grant is booked. */
class PaymentTimeTest {
  private static final long NOW_MS = 10_000_000;
  private static final long WINDOW_MS = 300_000;

  @ParameterizedTest
  @CsvSource({"0", "-30000", "-15000", "2000", "1999"})
  void shouldKeepWhatRedisSaidWhenItsClockMayBeRight(long grantedAfterNowMs) {
    // given
    Grant grant = grantedAt(NOW_MS + grantedAfterNowMs);

    // when
    long payBeforeMs = PaymentTime.payBeforeMs(grant, NOW_MS);

    // then
    assertThat(payBeforeMs).isEqualTo(grant.payBeforeMs());
  }

  @ParameterizedTest
  @CsvSource({"2001", "600000", "3600000", "-30001", "-600000", "-3600000"})
  void shouldGiveTheWholeTimeFromNowOnWhenItsClockCannotBeRight(long grantedAfterNowMs) {
    // given
    Grant grant = grantedAt(NOW_MS + grantedAfterNowMs);

    // when
    long payBeforeMs = PaymentTime.payBeforeMs(grant, NOW_MS);

    // then
    assertThat(payBeforeMs).isEqualTo(NOW_MS + WINDOW_MS);
  }

  /** Equal times say that there is nothing to pay. */
  @Test
  void shouldNotEndWithTheGrantWhenThereIsSomethingToPay() {
    // given
    Grant grant = grantedAt(NOW_MS + WINDOW_MS);

    // when
    long payBeforeMs = PaymentTime.payBeforeMs(grant, NOW_MS);

    // then
    assertThat(payBeforeMs).isEqualTo(grant.grantedAtMs() + 1);
  }

  @ParameterizedTest
  @CsvSource({"-40000, -50000", "-40000, 9223372036844775807", "9223372036844775807, 5"})
  void shouldNeverBeOverBeforeNowWhenTheTimesAreNonsense(long grantedAfterNowMs, long windowMs) {
    // given
    long grantedAtMs = Math.max(0, NOW_MS + grantedAfterNowMs);
    Grant grant = Grants.of(BatchScene.token(1), "a", 1, 1, 1, grantedAtMs, windowMs);

    // when
    long payBeforeMs = PaymentTime.payBeforeMs(grant, NOW_MS);

    // then
    assertThat(payBeforeMs).isGreaterThanOrEqualTo(NOW_MS);
  }

  /** The scan for time-outs looks back by a minute for what it has not heard of. */
  @ParameterizedTest
  @CsvSource({"-30000, 5", "-15000, 0", "2000, 1"})
  void shouldNotBeOverForLongWhenTheDeadlineIsBeforeTheGrant(
      long grantedAfterNowMs, long payBefore) {
    // given
    Grant grant =
        Grants.of(BatchScene.token(1), "a", 1, 1, 1, NOW_MS + grantedAfterNowMs, payBefore);

    // when
    long payBeforeMs = PaymentTime.payBeforeMs(grant, NOW_MS);

    // then
    assertThat(payBeforeMs).isEqualTo(NOW_MS + grantedAfterNowMs);
  }

  private static Grant grantedAt(long grantedAtMs) {
    return Grants.of(BatchScene.token(1), "alice", 1, 1, 1, grantedAtMs, grantedAtMs + WINDOW_MS);
  }

  /** What was added at the booking, because the clock of Redis was wrong, is taken off again. */
  @ParameterizedTest
  @CsvSource({"0", "30000", "30001", "600000", "-2000", "-2001", "-600000"})
  void shouldTellWhatRedisPromisedWhenTheOrderIsBooked(long ageMs) {
    // given
    Grant grant = grantedAt(NOW_MS - ageMs);
    Order hold = LedgerBatch.newOrder(grant, OrderStatus.PENDING, null, NOW_MS);

    // when
    long promisedMs = PaymentTime.promisedBeforeMs(hold);

    // then
    assertThat(promisedMs).isEqualTo(grant.payBeforeMs());
  }
}
