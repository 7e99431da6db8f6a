package io.sluice.stock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WritesCountTest {
  @Test
  void shouldDifferWhenSomethingWasWrittenOrSaved() {
    // given
    String before = writes(info(7, 1_700_000_000, 3));

    // when
    String written = writes(info(8, 1_700_000_000, 3));
    String saved = writes(info(0, 1_700_000_060, 4));
    String savedTwiceInASecond = writes(info(7, 1_700_000_000, 4));

    // then
    assertThat(before).isEqualTo(writes(info(7, 1_700_000_000, 3)));
    assertThat(written).isNotEqualTo(before);
    assertThat(saved).isNotEqualTo(before);
    assertThat(savedTwiceInASecond).isNotEqualTo(before);
  }

  /** By an operator's hand; such keys are gone without a change in the count. */
  @Test
  void shouldDifferWhenKeysHaveExpiredOrWereEvicted() {
    // given
    String before = info(7, 1_700_000_000, 3) + "expired_keys:0\r\nevicted_keys:0\r\n";

    // when
    String expired = before.replace("expired_keys:0", "expired_keys:1");
    String evicted = before.replace("evicted_keys:0", "evicted_keys:1");

    // then
    assertThat(writes(expired)).isNotEqualTo(writes(before));
    assertThat(writes(evicted)).isNotEqualTo(writes(before));
    assertThat(writes(expired)).isNotEqualTo(writes(evicted));
  }

  /** Nothing may be concluded from less. */
  @Test
  void shouldBeEmptyWhenAServerDoesNotShowAllOfIt() {
    assertThat(writes("# Server\r\nrun_id:abc\r\n")).isEmpty();
    assertThat(writes(info(7, 1_700_000_000, 3).replace("total_forks", "other"))).isEmpty();
    assertThat(writes(info(7, 1_700_000_000, 3).replace("rdb_changes", "other"))).isEmpty();
  }

  private static String writes(String info) {
    return new RedisInfo(info).writes();
  }

  private static String info(long changes, long savedAt, long forks) {
    return ("# Persistence\r\nloading:0\r\nrdb_changes_since_last_save:%d\r\n"
            + "rdb_bgsave_in_progress:0\r\nrdb_last_save_time:%d\r\n# Stats\r\ntotal_forks:%d\r\n")
        .formatted(changes, savedAt, forks);
  }
}
