package io.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.Sale;
import io.sluice.model.Sale.SaleTerms;
import io.sluice.model.SkuState;
import io.sluice.order.SaleLevels.SaleLevel;
import io.sluice.order.SkuLevels.Level;
import io.sluice.order.SkuLevels.SkuLevel;
import io.sluice.web.HttpProbe.Answer;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code GET /v1/sales/{sale_id}}. */
class SaleApiTest {
  private static final long OPENS_AT_MS = 1795248000000L;

  @RegisterExtension
  static final PublicPortFixture fixture =
      PublicPortFixture.serving(PublicPortFixture.TOKEN_BACK_OFFICE);

  /** A sale that is open, with this SKU alone. */
  static SaleLevel open(SkuLevel level) {
    return new SaleLevel(
        new Sale(
            "phones-12",
            "Singles' day, phones",
            false,
            new SaleTerms(OPENS_AT_MS, 0, 300, false),
            SkuState.SCHEDULED,
            false,
            1,
            1,
            0),
        SkuState.OPEN,
        List.of(level),
        null);
  }

  @Test
  void shouldAnswer200CacheableForASecondWhenKnown() {
    // given
    fixture.saleLevel =
        Future.succeededFuture(
            Optional.of(open(new SkuLevel(1001, SkuState.OPEN, Level.LAST, OPENS_AT_MS, 0))));

    // when
    Answer answer = fixture.probe.get("/v1/sales/phones-12");

    // then
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("cache-control")).isEqualTo("public, max-age=1");
    assertThat(answer.json())
        .isEqualTo(
            new JsonObject()
                .put("sale_id", "phones-12")
                .put("name", "Singles' day, phones")
                .put("state", "OPEN")
                .put("opens_at", "2026-11-21T08:00:00.000Z")
                .putNull("closes_at")
                .put(
                    "skus",
                    new JsonArray()
                        .add(
                            new JsonObject()
                                .put("sku_id", 1001)
                                .put("state", "OPEN")
                                .put("level", "LAST")))
                .putNull("next_after"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"phones-12", "a%20b", "!"})
  void shouldAnswer404WhenThereIsNoSuchSale(String saleId) {
    // given
    fixture.saleLevel = Future.succeededFuture(Optional.empty());

    // when
    Answer answer = fixture.probe.get("/v1/sales/" + saleId);

    // then
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.header("cache-control")).isEqualTo("no-store");
  }

  @ParameterizedTest
  @ValueSource(strings = {"limit=0", "limit=101", "limit=x", "after=-1", "after=1&after=2"})
  void shouldAnswer400WhenAParameterIsWrong(String query) {
    // when
    Answer answer = fixture.probe.get("/v1/sales/phones-12?" + query);

    // then
    assertThat(answer.problem()).isEqualTo("bad-request");
    assertThat(answer.json().getString("field")).isEqualTo(query.substring(0, 5));
  }
}
