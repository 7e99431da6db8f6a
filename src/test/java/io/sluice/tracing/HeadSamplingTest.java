package io.sluice.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.model.OrderTokens;
import io.sluice.tracing.OtlpTraces.HeadSampling;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HeadSamplingTest {
  private static final OrderTokens TOKENS = new OrderTokens(new byte[16]);
  private static final List<String> ORDERS =
      IntStream.range(0, 100_000)
          .mapToObj(i -> TOKENS.tokenFor("buyer" + i, new BucketId(1001, 0), null).value())
          .toList();

  @Test
  void shouldChooseAboutOneInSoMany() {
    // when
    long chosen = ORDERS.stream().filter(HeadSampling.of(100)::chooses).count();

    // then
    assertThat(chosen).isBetween(850L, 1_150L);
  }

  @Test
  void shouldChooseAllOrNoneWhenItIsToldTo() {
    // then
    assertThat(ORDERS).allMatch(HeadSampling.of(1)::chooses).noneMatch(HeadSampling.of(0)::chooses);
  }

  @Test
  void shouldChooseWhatAnotherRatioChoosesWhenItChoosesMore() {
    // given
    HeadSampling less = HeadSampling.of(1_000);
    HeadSampling more = HeadSampling.of(10);

    // then
    assertThat(ORDERS.stream().filter(less::chooses)).isNotEmpty().allMatch(more::chooses);
  }

  @Test
  void shouldChooseNothingWhenTheTextIsNoToken() {
    // given
    HeadSampling all = HeadSampling.of(1);

    // then
    assertThat(List.of("", "1001", "partition-3", "9223372036854775807")).noneMatch(all::chooses);
  }
}
