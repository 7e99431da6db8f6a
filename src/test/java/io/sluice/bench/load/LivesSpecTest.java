package io.sluice.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LivesSpecTest {
  private static final LoadSpec ORDERS =
      new LoadSpec(
          "http://127.0.0.1:8080",
          512,
          Duration.ofSeconds(60),
          3_300,
          Buyers.NEW,
          "v1",
          2_000_000_001L,
          32);

  @Test
  void shouldBeTheSameWhenReadFromItsWords() {
    // given
    LivesSpec unit = new LivesSpec(ORDERS, Duration.ofMillis(500), 4_096);

    // when
    LivesSpec read = LivesSpec.parse(unit.words());

    // then
    assertThat(read).isEqualTo(unit);
  }

  @Test
  void shouldLeaveOneGrantInTenUnpaid() {
    assertThat(LongStream.range(0, 1_000).filter(LivesSpec::isPaid).count()).isEqualTo(900);
  }
}
