package io.sluice.stock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.stock.StockConnection.Memory;
import org.junit.jupiter.api.Test;

/** The memory that INFO tells of. */
class MemoryUseTest {
  @Test
  void shouldReadWhatIsUsedAndItsLimit() {
    // given: other lines begin alike
    String info =
        "# Memory\r\nused_memory:1048576\r\nused_memory_human:1.00M\r\nused_memory_peak:9\r\n"
            + "maxmemory:2097152\r\nmaxmemory_policy:noeviction\r\n";

    // when
    Memory memory = new RedisInfo(info).memory();

    // then
    assertThat(memory).isEqualTo(new Memory(1_048_576, 2_097_152));
  }

  @Test
  void shouldBeNothingWhereTheServerShowsNone() {
    assertThat(new RedisInfo("# Server\r\nredis_version:7\r\n").memory())
        .isEqualTo(new Memory(0, 0));
  }
}
