package io.sluice.stock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.Grant;
import io.sluice.model.OrderToken;
import io.sluice.stock.StockStore.Recorded;
import org.junit.jupiter.api.Test;

class GrantRecordTest {
  private static final OrderToken TOKEN =
      OrderToken.parse("1001.0.abcdefghijklmnopqrstuv").orElseThrow();
  private static final Grant GRANT =
      new Grant(TOKEN, "alice|x@1", 2, 17, 3, 1_795_000_000_123L, 1_795_000_300_123L);

  @Test
  void shouldStandInRedisAsDocumentedWhenLive() {
    // given
    Recorded live = new Recorded(GRANT, true, true);

    // when
    String record = GrantRecord.format(live);

    // then
    assertThat(record).isEqualTo("L|2|17|3|1795000000123|1795000300123|alice|x@1");
    assertThat(GrantRecord.parse(TOKEN, record, true)).isEqualTo(live);
  }

  @Test
  void shouldStandInRedisAsDocumentedWhenEnded() {
    // given
    Recorded ended = new Recorded(GRANT, false, false);

    // when
    String record = GrantRecord.format(ended);

    // then
    assertThat(record).isEqualTo("E|2|17|3|1795000000123|1795000300123|alice|x@1");
    assertThat(GrantRecord.parse(TOKEN, record, false)).isEqualTo(ended);
  }
}
