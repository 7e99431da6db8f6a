package io.sluice.ledger.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.rules.ArchivePage.Hold;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArchivePageTest {
  private static final int LIMIT = 4;

  /**
   * @param holds epoch.seq.sale of each; the last is {@code +} where it has ended
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "nothing left           | -                               | 2.5  -> 2 (5..5]   0 ended 0 running complete",
        "the last ones          | 2.6.1+ 2.7.1+                   | 2.5  -> 2 (5..7]   2 ended 0 running complete",
        "as many as asked for   | 2.6.1+ 2.7.1+ 2.8.1+ 2.9.1+     | 2.5  -> 2 (5..9]   4 ended 0 running more",
        "one has not ended      | 2.6.1+ 2.7.1 2.8.1+             | 2.5  -> 2 (5..8]   2 ended 1 running complete",
        "the next epoch         | 3.1.1+ 3.2.1+                   | 2.5  -> 3 (-1..2]  2 ended 0 running complete",
        "two epochs             | 2.6.1+ 3.1.1+                   | 2.5  -> 2 (5..6]   1 ended 0 running more",
        "a later sale           | 2.6.1+ 2.7.2+                   | 2.5  -> 2 (5..6]   1 ended 0 running complete",
        "a later sale, an epoch | 2.6.1+ 3.1.2+                   | 2.5  -> 2 (5..6]   1 ended 0 running complete",
        "only a later sale      | 3.1.2+ 3.2.2+                   | 2.5  -> 2 (5..5]   0 ended 0 running complete",
        "an earlier sale        | 2.6.0+ 2.7.1+                   | 2.5  -> 2 (5..7]   2 ended 0 running complete",
      })
  void shouldTakeARangeOfOneEpoch(String what, String holds, String expected) {
    // given
    List<Hold> next = new ArrayList<>();
    for (String hold : holds == null ? new String[0] : holds.split(" ")) {
      String[] parts = hold.replace("+", "").split("\\.");
      next.add(
          new Hold(
              Long.parseLong(parts[0]),
              Long.parseLong(parts[1]),
              Long.parseLong(parts[2]),
              hold.endsWith("+")));
    }

    // when
    ArchivePage page = ArchivePage.of(next, 2, 5, LIMIT, 1);

    // then
    assertThat(
            "2.5 -> %d (%d..%d] %d ended %d running %s"
                .formatted(
                    page.epoch(),
                    page.afterSeq(),
                    page.lastSeq(),
                    page.ended(),
                    page.running(),
                    page.complete() ? "complete" : "more"))
        .as(what)
        .isEqualTo(expected.replaceAll(" +", " "));
  }
}
