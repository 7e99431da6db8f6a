package io.sluice.ledger.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.Grants;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What is measured of a batch. */
class BatchLagTest {
  private static final OrderToken TOKEN =
      OrderToken.parse("7.0.AAAAAAAAAAAAAAAAAAAAAA").orElseThrow();

  private static BatchChanges inserting(long... grantedAtMs) {
    List<Order> orders =
        LongStream.of(grantedAtMs)
            .mapToObj(at -> Order.reserved(Grants.of(TOKEN, "alice", 1, 1, 1, at, at + 1_000)))
            .toList();
    return new BatchChanges(
        orders, List.of(), List.of(), List.of(), List.of(), Map.of(), List.of(), List.of(),
        List.of(), List.of(), List.of(), List.of(), List.of(), Map.of());
  }

  @Test
  void shouldTellHowLongAgoTheOldestNewOrderWasGranted() {
    assertThat(inserting(5_000, 2_000, 9_000).bookedLagMs(10_000)).isEqualTo(8_000);
  }

  @Test
  void shouldTellNothingWhenThereIsNoNewOrder() {
    assertThat(inserting().bookedLagMs(10_000)).isZero();
  }
}
