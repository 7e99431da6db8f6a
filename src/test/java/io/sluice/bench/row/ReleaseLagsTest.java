package io.sluice.bench.row;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReleaseLagsTest {
  private final ReleaseLags lags = new ReleaseLags(new long[] {300, 100, 200, 400});

  @Test
  void shouldTakeTheFirstUnitThatIsBackForTheFirstThatWasDue() {
    // when
    lags.seen(1, 150);
    lags.seen(1, 170);
    lags.seen(4, 500);

    // then
    assertThat(lags.isComplete()).isTrue();
    assertThat(lags.ms(0.25)).isEqualTo(50);
    assertThat(lags.ms(0.5)).isEqualTo(100);
    assertThat(lags.ms(0.99)).isEqualTo(300);
    assertThat(lags.ms(1)).isEqualTo(300);
  }

  @Test
  void shouldNotBeCompleteWhileAUnitIsAway() {
    // when
    lags.seen(3, 500);

    // then
    assertThat(lags.isComplete()).isFalse();
    assertThat(lags.ms(1)).isEqualTo(400);
  }

  @Test
  void shouldCountNoMoreUnitsThanWereDue() {
    // when
    lags.seen(9, 500);

    // then
    assertThat(lags.isComplete()).isTrue();
    assertThat(lags.ms(1)).isEqualTo(400);
  }
}
