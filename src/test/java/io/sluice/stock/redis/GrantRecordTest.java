package io.sluice.stock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.OrderToken;
import io.sluice.stock.Recorded;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GrantRecordTest {
  private static final OrderToken TOKEN =
      OrderToken.parse("1001.0.abcdefghijklmnopqrstuv").orElseThrow();
  private static final Grant GRANT =
      Grants.of(TOKEN, "alice|x@1", 2, 17, 3, 1_795_000_000_123L, 1_795_000_300_123L);

  @Test
  void shouldStandInRedisAsDocumentedWhenLive() {
    // given
    Recorded live = new Recorded(GRANT, true, true);

    // when
    String record = GrantRecord.format(live);

    // then
    assertThat(record).isEqualTo("L|2|17|3|1795000000123|1795000300123|0||alice|x@1");
    assertThat(GrantRecord.parse(TOKEN, record, true)).isEqualTo(live);
  }

  @Test
  void shouldStandInRedisAsDocumentedWhenEnded() {
    // given
    Recorded ended = new Recorded(GRANT, false, false);

    // when
    String record = GrantRecord.format(ended);

    // then
    assertThat(record).isEqualTo("E|2|17|3|1795000000123|1795000300123|0||alice|x@1");
    assertThat(GrantRecord.parse(TOKEN, record, false)).isEqualTo(ended);
  }

  @ParameterizedTest
  @CsvSource({"cart, Y2FydA~2", ", ~2"})
  void shouldKeepWhatWasGrantedWhenAPartIsRefunded(String reference, String field) {
    // given
    Grant grant = Grants.of(TOKEN, "alice", 2, 17, 3, 1_000, 2_000, 0, reference);
    Recorded part = new Recorded(grant, 1, false);

    // when
    String record = GrantRecord.format(part);

    // then
    assertThat(record).isEqualTo("L|1|17|3|1000|2000|0|" + field + "|alice");
    assertThat(GrantRecord.parse(TOKEN, record, false)).isEqualTo(part);
    assertThat(GrantRecord.parse(TOKEN, record.replace("L|", "E|"), false))
        .isEqualTo(new Recorded(grant, false, false));
  }

  @Test
  void shouldKeepTheSaleAndTheReferenceWhateverItsCharacters() {
    // given
    Grant grant = Grants.of(TOKEN, "alice", 2, 17, 3, 1_000, 2_000, 4, "cart|7~\"");
    Recorded live = new Recorded(grant, true, false);

    // when
    String record = GrantRecord.format(live);

    // then
    assertThat(record).isEqualTo("L|2|17|3|1000|2000|4|Y2FydHw3fiI|alice");
    assertThat(GrantRecord.parse(TOKEN, record, false)).isEqualTo(live);
  }
}
