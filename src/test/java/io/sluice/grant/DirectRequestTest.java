package io.sluice.grant;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.PlacedOrder.Refused;
import io.sluice.ledger.DirectLedger.Line;
import io.sluice.ledger.DirectLedger.Outcome;
import io.sluice.model.BucketId;
import io.sluice.model.OrderToken;
import io.sluice.model.Placement;
import io.sluice.model.Refusal;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.model.Skus;
import io.sluice.stock.StockStore;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DirectRequestTest {
  private static final SkuSettings SETTINGS = new SkuSettings(300, 0, 0, 0);

  private static Sku sku(long skuId) {
    return Skus.open(skuId, 10, 4, Sku.Mode.DIRECT, SETTINGS, Placement.direct(4));
  }

  /** A request for units of these buckets of the SKUs 1, 2 and so on. */
  private static GrantRequest cart(int bucket, int... units) {
    List<StockStore.Line> lines =
        Stream.iterate(0, i -> i + 1)
            .limit(units.length)
            .map(i -> new StockStore.Line(new BucketId(i + 1, bucket), units[i], 0))
            .toList();
    OrderToken token = new OrderToken(1, bucket, "1." + bucket + ".AAAAAAAAAAAAAAAAAAAAAA");
    List<Sku> skus = lines.stream().map(line -> sku(line.bucket().skuId())).toList();
    return new GrantRequest(
        skus,
        skus.get(0).placed(bucket),
        StockStore.Request.ofLines(token, "ann", null, lines),
        GrantRouter.Route.PAST_LOG,
        null);
  }

  private static Refused answer(GrantRequest request) {
    return (Refused) request.answer().result();
  }

  @Test
  void shouldGatherForTheFirstRequestLast() {
    // given
    List<GrantRequest> requests = Stream.of(cart(0, 1, 1), cart(1, 2, 1), cart(0, 3)).toList();

    // when
    List<Line> gathered = DirectPlacing.gathered(requests);

    // then
    assertThat(gathered)
        .containsExactly(
            new Line(new BucketId(1, 1), 2),
            new Line(new BucketId(2, 1), 1),
            new Line(new BucketId(1, 0), 3),
            new Line(new BucketId(2, 0), 1));
  }

  @ParameterizedTest
  @CsvSource({"SOLD_OUT, 2", "LIMIT_REACHED, 2", "NOT_OPEN, 2", "BUSY, 2"})
  void shouldNameTheLineThatIsRefused(Refusal refusal, long skuId) {
    // given
    GrantRequest request = cart(0, 1, 2);

    // when
    DirectPlacing.refuse(request, new Outcome.Refused(refusal, 1, 1));

    // then
    assertThat(answer(request).refusal()).isEqualTo(refusal);
    assertThat(answer(request).skuId()).isEqualTo(skuId);
  }

  @Test
  void shouldNameTheLineWhoseUnitsAreElsewhere() {
    // given
    GrantRequest request = cart(0, 1, 2);

    // when
    DirectPlacing.refuse(request, Refusals.EMPTY_BUCKET, request.lineOf(2));

    // then
    assertThat(answer(request).refusal()).isEqualTo(Refusal.BUSY);
    assertThat(answer(request).skuId()).isEqualTo(2);
  }

  @Test
  void shouldSayThatTheKeyIsOfOtherLines() {
    // given
    GrantRequest request = cart(0, 1, 2);

    // when
    DirectPlacing.refuse(request, new Outcome.Refused(Refusal.KEY_MISMATCH, 1));

    // then
    assertThat(answer(request).detail()).contains("SKUs and quantities of the first request");
  }
}
