package io.sluice.testkit.register;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeriesWatchTest {
  @ParameterizedTest
  @ValueSource(strings = {"sluice_grants_total", "sluice_placing_seconds_count"})
  void shouldMoveWhenACountRisesAndNotWhenItBeginsAnew(String series) {
    // given
    SeriesWatch unit = new SeriesWatch(series, 7);

    // when, then
    assertThat(unit.moves(7)).isFalse();
    assertThat(unit.moves(0)).isFalse();
    assertThat(unit.moves(1)).isTrue();
    assertThat(unit.moves(1)).isFalse();
  }

  @Test
  void shouldMoveWhenAGaugeHasAnotherValueThanAtFirst() {
    // given
    SeriesWatch unit = new SeriesWatch("sluice_skus_frozen", 2);

    // when, then
    assertThat(unit.moves(2)).isFalse();
    assertThat(unit.moves(Double.NaN)).isFalse();
    assertThat(unit.moves(1)).isTrue();
    assertThat(unit.moves(3)).isTrue();
  }

  @Test
  void shouldBeOfTheMetricThatHasTheSeries() {
    // when
    String labeled = SeriesWatch.metricOf("sluice_redis_call_seconds_count{script=\"a.lua\"}");
    String bare = SeriesWatch.metricOf("sluice_skus_frozen");

    // then
    assertThat(new SeriesWatch(labeled, 0).metric()).isEqualTo("sluice_redis_call_seconds");
    assertThat(new SeriesWatch(bare, 0).metric()).isEqualTo("sluice_skus_frozen");
  }
}
