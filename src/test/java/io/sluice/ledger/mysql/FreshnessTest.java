package io.sluice.ledger.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FreshnessTest {
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 10);
  private final Freshness unit = new Freshness(nanos::get);

  @Test
  void shouldTakeAllForNewAtFirst() {
    assertThat(unit.isLikely(false)).isTrue();
  }

  @Test
  void shouldLookInEachTransactionForAWhileWhenOneIsRepeated() {
    // given
    boolean again = unit.isLikely(true);

    // when
    nanos.addAndGet(Freshness.LOOKS_FOR.toNanos() - 1);
    boolean soon = unit.isLikely(false);
    nanos.incrementAndGet();
    boolean later = unit.isLikely(false);

    // then
    assertThat(again).isFalse();
    assertThat(soon).isFalse();
    assertThat(later).isTrue();
  }
}
