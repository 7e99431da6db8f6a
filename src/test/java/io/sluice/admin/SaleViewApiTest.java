package io.sluice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.SaleLedger.PutResult;
import io.sluice.ledger.SaleLedger.SkuFault;
import io.sluice.web.HttpProbe.Answer;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** {@code /admin/sales/{sale_id}} where SKUs of the sale are in a later one. */
class SaleViewApiTest {
  @AutoClose
  private final AdminPortFixture fixture = new AdminPortFixture(AdminCalls.CONFIG).serving();

  private JsonObject view(String query) {
    Answer answer =
        fixture.probe.get(
            "/admin/sales/phones-12" + query, "Authorization", "Bearer " + AdminCalls.RITA);
    assertThat(answer.status()).isEqualTo(200);
    return answer.json();
  }

  @Test
  void shouldShowASkuAsItHasLeftTheSaleWhenItIsInALaterOne() {
    // given
    fixture.sales.seen = Optional.of(FakeHistory.SEEN);
    fixture.sales.skus = List.of(FakeSales.sku(1000));
    fixture.sales.left = List.of(FakeSales.left(1001, 20));

    // when
    JsonObject view = view("");

    // then
    assertThat(view.getJsonArray("skus")).hasSize(2);
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
        Future.succeededFuture(new PutResult.Refused(List.of(new SkuFault.Left(1001))));

    // when
    Answer answer =
        fixture.probe.json(
            "PUT",
            "/admin/sales/phones-12",
            "{\"name\":\"n\",\"opens_at\":null,\"skus\":[{\"sku_id\":1001,\"total_stock\":5}]}",
            "Authorization",
            "Bearer " + AdminCalls.OLGA);

    // then
    assertThat(answer.status()).isEqualTo(409);
    assertThat(answer.problem()).isEqualTo("in-use");
    assertThat(answer.json())
        .contains(
            Map.entry("field", "skus[0].sku_id"),
            Map.entry(
                "detail",
                "Expected a SKU that has not left this sale, but SKU 1001 has gone on to another one"));
  }
}
