package io.sluice.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.Desk;
import io.sluice.model.Command;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.stock.BucketCode;
import io.sluice.stock.Recorded;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A bucket that may have been moved to another partition: its SKU is read again. */
class OrderDoubtTest {
  private static final long OFFSET = 41;

  private final Desk unit = new Desk();
  private final OrderToken token = unit.token("alice");

  @BeforeEach
  void knowTheSku() {
    unit.catalog.find(Desk.SKU);
    unit.time.advanceMs(1_000);
  }

  @ParameterizedTest
  @CsvSource({"ABSENT, 2", "LOADING, 1", "OK, 1"})
  void shouldReadTheSkuAgainOnlyWhenRedisHasNoSuchBucket(BucketCode code, int reads) {
    // given
    unit.stock.code = code;

    // when
    unit.orders.find(token, order -> true);

    // then
    assertThat(unit.ledger.skuReads).hasSize(reads);
  }

  /** The owner of the wrong partition sends such a command on. */
  @Test
  void shouldReadTheSkuAgainWhenACommandWasPassedWithoutAnEffect() {
    // given
    unit.stock.recorded.put(token, new Recorded(unit.grant("alice"), true, true));
    unit.orders.run(new Command.Confirm(token), order -> true);
    unit.log.ack(OFFSET);
    unit.ledger.passed(unit.partition("alice"), OFFSET + 1);

    // when
    unit.time.advanceMs(100);

    // then
    assertThat(unit.ledger.skuReads).hasSize(2);
  }

  @Test
  void shouldNotReadTheSkuAgainWhenACommandTookEffectOrMayBeInNoLog() {
    // given
    unit.ledger.put(unit.order("alice", OrderStatus.PENDING, 1));
    unit.orders.run(new Command.Confirm(token), order -> true);
    unit.time.advanceMs(2_000);
    unit.orders.run(new Command.Confirm(token), order -> true);
    unit.log.ack(OFFSET);

    // when
    unit.hear(unit.order("alice", OrderStatus.CONFIRMED, 2));

    // then
    assertThat(unit.ledger.skuReads).hasSize(1);
  }
}
