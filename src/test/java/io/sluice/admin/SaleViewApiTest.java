package io.sluice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.SaleLedger.PutResult;
import io.sluice.ledger.SaleLedger.Seen;
import io.sluice.ledger.SaleLedger.SkuFault;
import io.sluice.ledger.SaleLedger.StateTotals;
import io.sluice.model.Sale;
import io.sluice.model.Sale.SaleTerms;
import io.sluice.model.SkuState;
import io.sluice.web.HttpProbe.Answer;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How sales are shown to operators, also those with SKUs that are in a later one. */
class SaleViewApiTest {
  private static final long CLOSES_AT_MS = 1_796_119_300_000L;

  @AutoClose private final AdminPortFixture fixture = new AdminPortFixture("").serving();

  private JsonObject shown(SkuState state, boolean frozen, boolean isArchiving) {
    Sale of = FakeSales.SALE;
    SaleTerms terms = of.terms().closingAt(CLOSES_AT_MS);
    long version = isArchiving ? 2 : 1;
    Sale sale =
        new Sale(of.saleId(), of.name(), false, terms, state, frozen, version, 1, of.createdAtMs());
    fixture.sales.seen = Optional.of(new Seen(sale, AdminPortFixture.NOW.toEpochMilli()));
    return fixture.probe.get("/admin/sales/" + of.saleId()).json();
  }

  private void has(StateTotals... totals) {
    fixture.sales.totals = List.of(totals);
  }

  @Test
  void shouldTellWhatAnEndWaitsForWhenItsSkusWaitForSeveralThings() {
    // given
    has(
        new StateTotals(SkuState.ENDED, 5, 0, 50, 0, 50),
        new StateTotals(SkuState.FROZEN, 2, 0, 20, 3, 4),
        new StateTotals(SkuState.ENDING, 1, 0, 10, 6, 0));

    // when
    JsonObject sale = shown(SkuState.ENDING, false, false);

    // then
    assertThat(sale.getJsonArray("waits_for"))
        .isEqualTo(
            new JsonArray(
                """
                [{"what": "unfreeze", "skus": 2, "held": 3}, {"what": "payment", "skus": 1, "held": 6}]
                """));
    assertThat(sale.getString("ends_at")).isNull();
  }

  @Test
  void shouldTellWhatAnArchiveWaitsFor() {
    // given
    has(
        new StateTotals(SkuState.ARCHIVED, 5, 0, 50, 0, 50),
        new StateTotals(SkuState.ENDED, 2, 0, 20, 0, 4));

    // when
    JsonObject sale = shown(SkuState.ENDED, false, true);

    // then
    assertThat(sale.getJsonArray("waits_for"))
        .isEqualTo(new JsonArray("[{\"what\": \"archive\", \"skus\": 2, \"held\": 0}]"));
  }

  @ParameterizedTest
  @CsvSource({
    "SCHEDULED, false, 2026-12-02T10:01:40.000Z",
    "OPEN,      false, 2026-12-02T10:01:40.000Z",
    "CLOSED,    false, 2026-12-02T10:01:40.000Z",
    "OPEN,      true,",
    "ENDED,     false,",
    "ARCHIVED,  false,",
  })
  void shouldTellWhenASaleEndsByItself(SkuState state, boolean frozen, String endsAt) {
    // when
    JsonObject sale = shown(state, frozen, false);

    // then
    assertThat(sale.getString("ends_at")).isEqualTo(endsAt);
    assertThat(sale.getJsonArray("waits_for")).isEmpty();
  }

  // ---- SKUs that are in a later sale

  private JsonObject view(String query) {
    Answer answer = fixture.probe.get("/admin/sales/phones-12" + query);
    assertThat(answer.status()).isEqualTo(200);
    return answer.json();
  }

  @Test
  void shouldShowASkuAsItHasLeftTheSaleWhenItIsInALaterOne() {
    // given
    fixture.sales.seen = Optional.of(FakeHistory.SEEN);
    fixture.sales.skus = List.of(FakeSales.sku(1000).named("Phone"));
    fixture.sales.left = List.of(FakeSales.left(1001, 20));

    // when
    JsonObject view = view("");

    // then
    assertThat(view.getJsonArray("skus")).hasSize(2);
    assertThat(view.getJsonArray("skus").getJsonObject(0).getString("name")).isEqualTo("Phone");
    JsonObject left = view.getJsonArray("skus").getJsonObject(1);
    assertThat(left.getLong("sku_id")).isEqualTo(1001);
    assertThat(left.getString("state")).isEqualTo("ENDED");
    assertThat(left)
        .contains(
            Map.entry("allotted", 500),
            Map.entry("held", 0),
            Map.entry("sold", 20),
            Map.entry("available", 480));
    assertThat(view.getValue("next_after")).isNull();
  }

  @Test
  void shouldGoOnBehindASkuThatIsInALaterSale() {
    // given
    fixture.sales.seen = Optional.of(FakeHistory.SEEN);
    fixture.sales.left = List.of(FakeSales.left(1001, 0), FakeSales.left(1002, 0));

    // when
    JsonObject first = view("?limit=1");
    JsonObject second = view("?after=" + first.getLong("next_after"));

    // then
    assertThat(second.getJsonArray("skus")).hasSize(1);
    assertThat(second.getJsonArray("skus").getJsonObject(0).getLong("sku_id")).isEqualTo(1002);
  }

  @Test
  void shouldNameASkuThatHasLeftWhenItIsPutIntoTheSaleAgain() {
    // given
    fixture.sales.putResult =
        Future.succeededFuture(
            new PutResult.Refused(List.of(new SkuFault.Left(1001, "phones-13"))));

    // when
    Answer answer =
        fixture.probe.json(
            "PUT",
            "/admin/sales/phones-12",
            "{\"name\":\"n\",\"opens_at\":null,\"skus\":[{\"sku_id\":1001,\"total_stock\":5}]}");

    // then
    assertThat(answer.problem()).isEqualTo("in-use");
    assertThat(answer.json())
        .contains(
            Map.entry("field", "skus[0].sku_id"),
            Map.entry("sale_id", "phones-13"),
            Map.entry(
                "detail",
                "Expected a SKU that has not left this sale, but SKU 1001 has gone on to sale"
                    + " phones-13"));
  }
}
