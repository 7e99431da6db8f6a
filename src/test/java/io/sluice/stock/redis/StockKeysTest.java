package io.sluice.stock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StockKeysTest {

  @Test
  void shouldSpellKeysAsDocumentedWithTheTagOfThePartition() {
    // given
    BucketId bucket = new BucketId(1001, 7);

    // when
    StockKeys keys = StockKeys.of(3, bucket);

    // then
    assertThat(Stream.of(keys.stock(), keys.reserve(), keys.unbooked(), keys.buyers()))
        .extracting(RedisUnderTest::text)
        .containsExactly(
            "stock:{p3}:1001:7",
            "reserve:{p3}:1001:7",
            "unbooked:{p3}:1001:7",
            "buyers:{p3}:1001:7");
  }
}
