package io.sluice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.web.HttpProbe.Answer;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** {@code GET /admin/sales/{sale_id}}. */
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
}
