package io.sluice.chaos.buyer;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.chaos.buyer.Reserve.Ticks;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReserveTest {
  private long idle;
  private long all;
  private boolean told = true;
  private final Reserve unit =
      new Reserve(() -> told ? Optional.of(new Ticks(idle, all)) : Optional.empty());

  @ParameterizedTest
  @CsvSource({"0, 280", "4, 280", "5, 300", "50, 300"})
  void shouldAllowFewerOnlyWhereTheProcessorsHaveNoReserve(int idlePercent, int allowed) {
    // when
    seconds(1, idlePercent);

    // then
    assertThat(unit.allowed()).isEqualTo(allowed);
  }

  @Test
  void shouldAllowMoreAgainSlowlyOnceThereIsAmpleReserve() {
    // given
    seconds(2, 0);

    // when
    seconds(1, 20);
    int notAmple = unit.allowed();
    seconds(1, 21);

    // then
    assertThat(notAmple).isEqualTo(260);
    assertThat(unit.allowed()).isEqualTo(265);
    assertThat(unit.fewest()).isEqualTo(260);
  }

  @Test
  void shouldStayWithinItsBounds() {
    // when
    seconds(60, 0);
    int least = unit.allowed();
    seconds(60, 100);

    // then
    assertThat(least).isEqualTo(Reserve.LEAST);
    assertThat(unit.allowed()).isEqualTo(Reserve.MOST);
  }

  @Test
  void shouldAllowTheMostWhereTheMachineDoesNotTell() {
    // given
    told = false;

    // when
    seconds(5, 0);

    // then
    assertThat(unit.allowed()).isEqualTo(Reserve.MOST);
  }

  @Test
  void shouldReadWhatLinuxTells() {
    // when
    Ticks ticks = Ticks.of("cpu  10 1 20 300 40 5 6 7 0 0");

    // then
    assertThat(ticks).isEqualTo(new Ticks(340, 389));
  }

  private void seconds(int count, int idlePercent) {
    unit.look();
    for (int i = 0; i < count; i++) {
      idle += idlePercent;
      all += 100;
      unit.look();
    }
  }
}
