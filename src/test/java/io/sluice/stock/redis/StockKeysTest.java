package io.sluice.stock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StockKeysTest {

  @Test
  void shouldSpellKeysAsDocumentedWithOneHashTag() {
    // given
    BucketId bucket = new BucketId(1001, 7);

    // when
    StockKeys keys = StockKeys.of(bucket);

    // then
    assertThat(Stream.of(keys.stock(), keys.reserve(), keys.unbooked(), keys.buyers()))
        .extracting(RedisUnderTest::text)
        .containsExactly(
            "stock:{1001:7}", "reserve:{1001:7}", "unbooked:{1001:7}", "buyers:{1001:7}");
  }
}
