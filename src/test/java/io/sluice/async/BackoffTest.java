package io.sluice.async;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BackoffTest {
  private final Backoff unit = new Backoff();

  @Test
  void shouldDoubleUpToItsMaximumWhenAskedAgain() {
    // when
    for (int i = 0; i < 10; i++) {
      unit.next();
    }

    // then
    assertThat(unit.next()).isEqualTo(Backoff.MAX);
  }

  @Test
  void shouldBeginAnewWhenReset() {
    // given
    unit.next();
    unit.next();

    // when
    unit.reset();

    // then
    assertThat(unit.next()).isEqualTo(Backoff.FIRST);
    assertThat(unit.next()).isEqualTo(Backoff.FIRST.multipliedBy(2));
  }
}
