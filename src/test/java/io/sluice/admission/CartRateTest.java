package io.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.admission.AdmissionLimits.OrderVerdict;
import io.sluice.config.Config.AdmissionConfig;
import io.sluice.metrics.Meters;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an order of several SKUs takes from their rates, and from the limit of its buyer. */
class CartRateTest {
  private static final int SKU_PER_S = 3;

  private int others;

  @Test
  void shouldTakeFromEachSkuOnce() {
    // given
    AdmissionLimits unit = limits(10);

    // when
    String cart = order(unit, "alice", "k1", 1, 2);

    // then
    assertThat(cart).isEqualTo("ok");
    assertThat(left(unit, 1)).isEqualTo(SKU_PER_S - 1);
    assertThat(left(unit, 2)).isEqualTo(SKU_PER_S - 1);
  }

  @Test
  void shouldGiveBackOnceWhatItHasTakenWhenALaterSkuIsOverItsRate() {
    // given
    AdmissionLimits unit = limits(10);
    left(unit, 2);
    order(unit, "bob", "k1", 1, 3);

    // when
    String cart = order(unit, "alice", "k1", 1, 2, 3);

    // then
    assertThat(cart).isEqualTo("sku");
    assertThat(left(unit, 1)).isEqualTo(SKU_PER_S - 1);
    assertThat(left(unit, 3)).isEqualTo(SKU_PER_S - 1);
  }

  @Test
  void shouldGiveBackOnceWhatItHasTakenWhenTheBuyerIsOverTheLimit() {
    // given
    AdmissionLimits unit = limits(1);
    order(unit, "alice", "k1", 1, 2);

    // when
    String cart = order(unit, "alice", "k2", 1, 2);

    // then
    assertThat(cart).isEqualTo("buyer");
    assertThat(left(unit, 1)).isEqualTo(SKU_PER_S - 1);
    assertThat(left(unit, 2)).isEqualTo(SKU_PER_S - 1);
  }

  @Test
  void shouldTakeNothingWhenItIsRepeated() {
    // given
    AdmissionLimits unit = limits(10);
    order(unit, "alice", "k1", 1, 2);

    // when
    String repeated = order(unit, "alice", "k1", 1, 2);
    int leftOfFirst = left(unit, 1);
    String repeatedLater = order(unit, "alice", "k1", 1, 2);

    // then
    assertThat(List.of(repeated, repeatedLater)).containsOnly("ok");
    assertThat(leftOfFirst).isEqualTo(SKU_PER_S - 1);
    assertThat(left(unit, 2)).isEqualTo(SKU_PER_S - 1);
  }

  @Test
  void shouldCountOnceForItsBuyer() {
    // given
    AdmissionLimits unit = limits(2);

    // when
    List<String> answers = new ArrayList<>();
    for (String key : List.of("k1", "k2", "k3")) {
      answers.add(order(unit, "alice", key, 1, 2));
    }

    // then
    assertThat(answers).containsExactly("ok", "ok", "buyer");
  }

  private static AdmissionLimits limits(int buyerPerMinute) {
    BannedBuyers banned = new BannedBuyers(() -> 0);
    return new AdmissionLimits(
        new AdmissionConfig(0, SKU_PER_S, buyerPerMinute, 0, 3, 600, 1_800, 20),
        List.of(),
        banned,
        () -> 0,
        new Meters(new SimpleMeterRegistry()));
  }

  /** The limit that refuses an order, or {@code ok}. */
  private static String order(AdmissionLimits limits, String buyer, String key, long... skuIds) {
    return limits.ofOrder(buyer, skuIds, key) instanceof OrderVerdict.Over over
        ? over.excess().limit().policy()
        : "ok";
  }

  /** How many orders of this SKU are taken yet, each of another buyer; none is after that. */
  private int left(AdmissionLimits limits, long skuId) {
    int left = 0;
    while (!(limits.ofOrder("other" + others++, new long[] {skuId}, "k1")
        instanceof OrderVerdict.Over)) {
      left++;
    }
    return left;
  }
}
