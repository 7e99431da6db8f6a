package io.sluice.admin.page;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admin.page.StockWatch.SkuNow;
import io.sluice.admin.page.Verdict.Facts;
import io.sluice.admin.page.Verdict.Reason;
import io.sluice.ledger.BucketRow;
import io.sluice.ledger.BucketRows;
import io.sluice.model.BucketId;
import io.sluice.model.Sku;
import io.sluice.model.Sku.Membership;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.sluice.model.Skus;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** One word for how the sale goes, and why. */
class VerdictTest {
  private static final long NOW_MS = 1_000_000;
  private static final List<Reason> NONE = List.of();

  static SkuNow sku(long skuId, SkuState state, long opensAtMs, long left) {
    SkuSettings settings = new SkuSettings(300, 1, opensAtMs, 0);
    Sku sku = Skus.open(skuId, 100, 1, settings).with(settings, state, state, Membership.NONE);
    BucketRow row =
        BucketRows.of(new BucketId(skuId, 0), 1, 100, 0, 100 - left, 1, 1, state, settings);
    return new SkuNow(sku, List.of(row), Map.of(), 0);
  }

  private static Facts facts(
      boolean ready, List<Reason> down, List<Reason> worries, SkuNow... skus) {
    return new Facts(ready, down, worries, List.of(skus), true, NOW_MS);
  }

  private static SkuNow open(long left) {
    return sku(7, SkuState.OPEN, 0, left);
  }

  static Stream<Arguments> rows() {
    SkuNow frozen = sku(8, SkuState.FROZEN, 0, 5);
    return Stream.of(
        Arguments.of(facts(true, NONE, NONE, open(1)), "SELLING", "1 SKU open, 1 unit left"),
        Arguments.of(
            facts(true, NONE, NONE, open(1_200), open(34)),
            "SELLING",
            "2 SKUs open, 1,234 units left"),
        Arguments.of(
            facts(true, NONE, NONE, open(0)), "WAITING", "Sold out: 1 SKU open, no unit left"),
        Arguments.of(facts(true, NONE, NONE), "WAITING", "There is no SKU yet"),
        Arguments.of(
            facts(true, NONE, NONE, sku(7, SkuState.CLOSED, 0, 9)), "WAITING", "No SKU is open"),
        Arguments.of(
            facts(true, NONE, NONE, sku(7, SkuState.SCHEDULED, NOW_MS + 95_000, 9)),
            "WAITING",
            "The next SKU opens in 1 min 35 s"),
        Arguments.of(
            new Facts(true, NONE, NONE, List.of(), false, NOW_MS), "WAITING", "Looking for SKUs"),
        Arguments.of(
            facts(true, List.of(Reason.of("kafka: away")), NONE, open(1)),
            "DEGRADED",
            "kafka: away"),
        Arguments.of(
            facts(true, NONE, List.of(Reason.of("backlog is high")), open(0)),
            "DEGRADED",
            "backlog is high"),
        Arguments.of(facts(true, NONE, NONE, open(1), frozen), "DEGRADED", "SKU 8 is frozen"),
        Arguments.of(facts(true, NONE, NONE, frozen), "STOPPED", "Every SKU is frozen"),
        Arguments.of(
            facts(false, List.of(Reason.of("redis: away")), List.of(Reason.of("drift")), open(1)),
            "STOPPED",
            "redis: away"),
        Arguments.of(
            facts(
                false, IntStream.range(0, 9).mapToObj(i -> Reason.of("part " + i)).toList(), NONE),
            "STOPPED",
            "part 0, part 1, part 2, part 3, and 5 more"));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void shouldSayTheWordAndWhy(Facts facts, String word, String reasons) {
    // when
    Verdict verdict = Verdict.of(facts);

    // then
    assertThat(verdict.word()).hasToString(word);
    assertThat(verdict.reasons().stream().map(Reason::text).collect(joining(", ")))
        .isEqualTo(reasons);
  }
}
