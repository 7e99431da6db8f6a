package io.sluice.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LivesHeardTest {
  private static final LivesHeard HEARD = new LivesHeard(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);

  @Test
  void shouldBeTheSameWhenReadFromItsLine() {
    // when
    LivesHeard read = LivesHeard.parse(HEARD.line().substring(LivesHeard.WORD.length()));

    // then
    assertThat(read).isEqualTo(HEARD);
  }

  @Test
  void shouldSayWhatWasNotDone() {
    assertThat(HEARD.notGranted()).as("refused, failed, unsent").isEqualTo(2 + 3 + 4);
    assertThat(HEARD.notPaid()).as("late, failed").isEqualTo(8 + 9);
  }
}
