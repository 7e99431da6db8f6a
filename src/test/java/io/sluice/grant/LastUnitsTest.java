package io.sluice.grant;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.grant.PlacedOrder.Refused;
import io.sluice.model.OrderTokens;
import io.sluice.model.Placement.PlacedBucket;
import io.sluice.model.Refusal;
import io.sluice.model.Sku;
import io.sluice.model.Sku.Membership;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuSettings.Watermarks;
import io.sluice.model.Skus;
import io.sluice.stock.BucketCode;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.StockStore;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many requests go to Redis for the last units, and who is never kept from it. */
class LastUnitsTest {
  private static final int FACTOR = 20;

  private final ManualLoop time = new ManualLoop();
  private final Counter refusals = new SimpleMeterRegistry().counter("refusals");
  private final OrderTokens tokens = new OrderTokens(new byte[16]);
  private LastUnits unit = new LastUnits(FACTOR, time.loop(), refusals);
  private Sku sku = skuOf(1, new Watermarks(20, 5));
  private List<GrantRequest> asked = List.of();

  @ParameterizedTest
  @CsvSource({
    "1, 20, 5, 1000, 1000",
    "1, 20, 5, 51, 1000",
    "1, 20, 5, 50, 1000",
    "1, 20, 5, 49, 980",
    "1, 20, 5, 2, 40",
    "1, 20, 5, 1, 20",
    "1, 20, 5, 0, 1000",
    "1, 20, 5, -3, 1000",
    "1, 20, 0, 1, 1000",
    "1, 100, 100, 7, 140",
    "4, 20, 5, 13, 1000",
    "4, 20, 5, 12, 240",
  })
  void shouldLetInTwentyRequestsPerUnitFromLastOn(
      int buckets, int lowPercent, int lastPercent, long available, int expected) {
    // given
    sku = skuOf(buckets, new Watermarks(lowPercent, lastPercent));
    note(1, available);

    // when
    int in = letIn(1_000);

    // then
    assertThat(in).isEqualTo(expected);
    assertThat(refusals.count()).isEqualTo(1_000 - expected);
  }

  @Test
  void shouldNotCountWhatEarlierSalesHaveSold() {
    // given
    Sku again = skuOf(1, new Watermarks(20, 5));
    Membership next = new Membership(2, "next", false, 1, 900);
    sku = again.with(again.settings(), again.state(), again.thawedState(), next);
    note(1, 6);

    // when
    int in = letIn(1_000);

    // then
    assertThat(in).isEqualTo(1_000);
  }

  @Test
  void shouldLetInTheFirstAndTellTheOthersToRetryInASecond() {
    // given
    note(1, 1);

    // when
    letIn(50);

    // then
    assertThat(asked.subList(0, FACTOR)).noneMatch(each -> each.answer().isComplete());
    assertThat(asked.subList(FACTOR, 50))
        .allSatisfy(
            each -> {
              Refused busy = (Refused) each.answer().result();
              assertThat(busy.refusal()).isEqualTo(Refusal.BUSY);
              assertThat(busy.retryAfterS()).isEqualTo(1);
            });
  }

  @Test
  void shouldLetInAllBeforeTheFirstReply() {
    // when
    int in = letIn(5_000);

    // then
    assertThat(in).isEqualTo(5_000);
  }

  @Test
  void shouldCountWhatIsOnItsWayUntilItIsAnswered() {
    // given
    note(1, 2);
    letIn(30);

    // when
    int beside = letIn(30);
    int full = letIn(30);
    note(30, 2);
    int again = letIn(100);

    // then
    assertThat(List.of(beside, full, again)).containsExactly(10, 0, 30);
  }

  @Test
  void shouldHaveNoLimitFromTheFirstReplyAfterARestock() {
    // given
    note(1, 1);
    letIn(FACTOR);

    // when
    note(FACTOR, 500);

    // then
    assertThat(letIn(5_000)).isEqualTo(5_000);
  }

  @Test
  void shouldHaveNoLimitAfterACallThatFailed() {
    // given
    note(1, 1);
    letIn(FACTOR);

    // when
    unit.forget(bucket());

    // then
    assertThat(letIn(1_000)).isEqualTo(1_000);
  }

  @Test
  void shouldNotBelieveAnOldReplyWhenNobodyHasAskedSince() {
    // given
    note(1, 1);
    time.advance(LastUnits.KEPT_FOR);

    // when
    int in = letIn(1_000);

    // then
    assertThat(in).isEqualTo(1_000);
  }

  @Test
  void shouldWaitForTheReplyHoweverSlowRedisIs() {
    // given
    note(1, 1);
    letIn(FACTOR);
    time.advance(LastUnits.KEPT_FOR.multipliedBy(4));

    // when
    int in = letIn(1_000);

    // then
    assertThat(in).isZero();
  }

  @Test
  void shouldLimitNobodyWhenTheFactorIsZero() {
    // given
    unit = new LastUnits(0, time.loop(), refusals);
    note(1, 1);

    // when
    int in = letIn(1_000);

    // then
    assertThat(in).isEqualTo(1_000);
  }

  private void note(int answered, long available) {
    unit.note(sku, bucket(), answered, new ReserveReply(BucketCode.OK, available, List.of()));
  }

  private int letIn(int requests) {
    asked = IntStream.range(0, requests).mapToObj(this::request).toList();
    return unit.letIn(bucket(), asked).size();
  }

  private PlacedBucket bucket() {
    return sku.placed(0);
  }

  private GrantRequest request(int number) {
    String user = "buyer" + number;
    return new GrantRequest(
        List.of(sku),
        bucket(),
        new StockStore.Request(tokens.tokenFor(user, bucket().id(), null), user, 1),
        GrantRouter.Route.LOG,
        null);
  }

  private static Sku skuOf(int buckets, Watermarks marks) {
    return Skus.open(7, 1_000, buckets, new SkuSettings(300, 0, 0, 0).with(marks));
  }
}
