package io.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.admission.AdmissionLimits.OrderVerdict;
import io.sluice.config.Config.AdmissionConfig;
import io.sluice.metrics.Meters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which orders take from the rate of their SKU. */
class SkuRateTest {
  private static final int STRIKES = 3;
  private static final int SKU_PER_S = 3;
  private int others;

  private long nanos;
  private final BannedBuyers banned = new BannedBuyers(() -> nanos);

  @Test
  void shouldTakeNothingWhenARequestIsRepeated() {
    // given
    AdmissionLimits unit = limits(2, 10);
    order(unit, "alice", "k1");

    // when
    List<String> repeated = orders(unit, "alice", "k1");
    String bobs = order(unit, "bob", "k1");
    String carols = order(unit, "carol", "k1");
    List<String> repeatedLater = orders(unit, "alice", "k1");

    // then
    assertThat(repeated).containsOnly("ok");
    assertThat(bobs).isEqualTo("ok");
    assertThat(carols).isEqualTo("sku");
    assertThat(repeatedLater).containsOnly("ok");
  }

  @Test
  void shouldTakeNothingWhenTheBuyerIsOverTheLimit() {
    // given
    AdmissionLimits unit = limits(2, 1);
    order(unit, "alice", "k1");

    // when
    List<String> over = orders(unit, "alice", "k2");
    String bobs = order(unit, "bob", "k1");
    String carols = order(unit, "carol", "k1");

    // then
    assertThat(over).containsOnly("buyer");
    assertThat(bobs).isEqualTo("ok");
    assertThat(carols).isEqualTo("sku");
  }

  @Test
  void shouldTakeFromBothWhenAKeyIsNew() {
    // given
    AdmissionLimits unit = limits(3, 2);

    // when
    List<String> alices =
        List.of(order(unit, "alice", "k1"), order(unit, "alice", "k2"), order(unit, "alice", "k3"));
    List<String> others = List.of(order(unit, "bob", "k1"), order(unit, "carol", "k1"));

    // then
    assertThat(alices).containsExactly("ok", "ok", "buyer");
    assertThat(others).containsExactly("ok", "sku");
  }

  @Test
  void shouldCountNeitherOrderNorOverrunWhenTheSkuIsOverItsRate() {
    // given
    AdmissionLimits unit = limits(1, 1);
    order(unit, "bob", "k1");

    // when
    List<String> early = List.of(order(unit, "alice", "k1"), order(unit, "alice", "k2"));
    nanos = Duration.ofSeconds(1).toNanos();
    String inTime = order(unit, "alice", "k3");
    List<String> late = List.of(order(unit, "alice", "k4"), order(unit, "alice", "k5"));

    // then
    assertThat(early).containsOnly("sku");
    assertThat(inTime).isEqualTo("ok");
    assertThat(late).containsOnly("sku");
    assertThat(banned.isEmpty()).isTrue();
  }

  @Test
  void shouldTakeForEveryOrderWhenBuyersHaveNoLimit() {
    // given
    AdmissionLimits unit = limits(2, 0);

    // when
    List<String> answers =
        List.of(order(unit, "alice", "k1"), order(unit, "alice", "k1"), order(unit, "bob", "k1"));

    // then
    assertThat(answers).containsExactly("ok", "ok", "sku");
  }

  // ---- orders of several SKUs

  @Test
  void shouldTakeFromEachSkuOfACartOnce() {
    // given
    AdmissionLimits unit = limits(SKU_PER_S, 10);

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
    AdmissionLimits unit = limits(SKU_PER_S, 10);
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
    AdmissionLimits unit = limits(SKU_PER_S, 1);
    order(unit, "alice", "k1", 1, 2);

    // when
    String cart = order(unit, "alice", "k2", 1, 2);

    // then
    assertThat(cart).isEqualTo("buyer");
    assertThat(left(unit, 1)).isEqualTo(SKU_PER_S - 1);
    assertThat(left(unit, 2)).isEqualTo(SKU_PER_S - 1);
  }

  @Test
  void shouldTakeNothingWhenACartIsRepeated() {
    // given
    AdmissionLimits unit = limits(SKU_PER_S, 10);
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
  void shouldCountACartOnceForItsBuyer() {
    // given
    AdmissionLimits unit = limits(SKU_PER_S, 2);

    // when
    List<String> answers = new ArrayList<>();
    for (String key : List.of("k1", "k2", "k3")) {
      answers.add(order(unit, "alice", key, 1, 2));
    }

    // then
    assertThat(answers).containsExactly("ok", "ok", "buyer");
  }

  private AdmissionLimits limits(int skuPerS, int buyerPerMinute) {
    return new AdmissionLimits(
        new AdmissionConfig(0, skuPerS, buyerPerMinute, 0, STRIKES, 600, 1_800, 20),
        List.of(),
        banned,
        () -> nanos,
        new Meters(new SimpleMeterRegistry()));
  }

  private static String order(AdmissionLimits limits, String buyer, String key, long... skuIds) {
    return limits.ofOrder(buyer, skuIds.length == 0 ? new long[] {1} : skuIds, key)
            instanceof OrderVerdict.Over over
        ? over.excess().limit().policy()
        : "ok";
  }

  /** The same many times. */
  private static List<String> orders(AdmissionLimits limits, String buyer, String key) {
    List<String> answers = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      answers.add(order(limits, buyer, key));
    }
    return answers;
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
