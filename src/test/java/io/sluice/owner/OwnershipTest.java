package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Fence;
import io.vertx.core.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OwnershipTest {
  private final AtomicInteger lost = new AtomicInteger();
  private final Ownership unit = new Ownership(new Fence(3, 7, 100), lost::incrementAndGet);

  @Test
  void shouldCompleteAtOnceWhenTheLogIsBookedSoFar() {
    // when
    Future<Void> booked = unit.bookedUpTo(100);

    // then
    assertThat(booked.succeeded()).isTrue();
  }

  @Test
  void shouldCompleteOnlyWhenTheOffsetIsReached() {
    // given
    Future<Void> booked = unit.bookedUpTo(110);

    // when
    unit.advanced(109);
    boolean early = booked.isComplete();
    unit.advanced(110);

    // then
    assertThat(early).isFalse();
    assertThat(booked.succeeded()).isTrue();
  }

  @Test
  void shouldFailWaitersAndTellOnceWhenTheFenceIsLost() {
    // given
    Future<Void> booked = unit.bookedUpTo(110);

    // when
    unit.lose();
    unit.lose();

    // then
    assertThat(booked.cause()).isInstanceOf(FenceLostException.class);
    assertThat(unit.bookedUpTo(100).failed()).isTrue();
    assertThat(lost).hasValue(1);
  }

  @Test
  void shouldNotTellWhenGivenUp() {
    // when
    unit.end();
    unit.lose();

    // then
    assertThat(unit.isLost()).isTrue();
    assertThat(lost).hasValue(0);
  }
}
