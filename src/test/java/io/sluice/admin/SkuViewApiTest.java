package io.sluice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Audit;
import io.sluice.web.HttpProbe;
import io.sluice.web.HttpProbe.Answer;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How SKUs are shown to operators. */
class SkuViewApiTest {
  @AutoClose private final AdminPortFixture fixture = new AdminPortFixture("").serving();

  private final HttpProbe probe = fixture.probe;

  @Test
  void shouldShowSettingsBucketsTotalsAndAuditWhenAsked() {
    // given
    fixture.ledger.has(FakeLedger.sku(7, 2));
    fixture.ledger.auditResult =
        Future.succeededFuture(Optional.of(new Audit(7, 1, 200, 60, 40, 200, 60, 40)));

    // when
    JsonObject json = probe.get("/admin/skus/7").json();

    // then
    assertThat(json.getString("state")).isEqualTo("OPEN");
    assertThat(json.getInteger("buckets")).isEqualTo(2);
    assertThat(json.getJsonArray("per_bucket")).hasSize(2);
    assertThat(json.getJsonArray("per_bucket").getJsonObject(1).getInteger("bucket")).isEqualTo(1);
    assertThat(json.getJsonObject("totals"))
        .isEqualTo(
            new JsonObject(
                """
                {"allotted": 200, "held": 60, "sold": 40, "available": 100,
                 "in_flight": 0, "drift": 0}
                """));
    assertThat(json.getJsonObject("audit"))
        .isEqualTo(
            new JsonObject(
                """
                {"total": 200, "held": 60, "sold": 40, "available": 100, "agrees": true}
                """));
  }

  @Test
  void shouldShowTheNameOfASkuThatHasOne() {
    // given
    fixture.ledger.has(FakeLedger.sku(7, 1).named("Phone"));
    fixture.ledger.has(FakeLedger.sku(8, 1));

    // when
    JsonObject named = probe.get("/admin/skus/7").json();
    JsonObject other = probe.get("/admin/skus/8").json();

    // then
    assertThat(named.getString("name")).isEqualTo("Phone");
    assertThat(other.containsKey("name")).isFalse();
  }

  @Test
  void shouldPageThroughTheSkusWhenThereAreMany() {
    // given
    for (long skuId = 1; skuId <= 5; skuId++) {
      fixture.ledger.has(FakeLedger.sku(skuId, 1));
    }

    // when
    JsonObject first = probe.get("/admin/skus?limit=3").json();
    JsonObject second = probe.get("/admin/skus?limit=3&after=3").json();

    // then
    assertThat(ids(first)).isEqualTo("1 2 3");
    assertThat(first.getLong("next_after")).isEqualTo(3);
    assertThat(ids(second)).isEqualTo("4 5");
    assertThat(second.getValue("next_after")).isNull();
    assertThat(second.getJsonArray("skus").getJsonObject(0).getJsonArray("per_bucket")).hasSize(1);
  }

  @Test
  void shouldEndThePageEarlyWhenItsSkusHaveManyBuckets() {
    // given
    for (long skuId = 1; skuId <= 5; skuId++) {
      fixture.ledger.has(FakeLedger.sku(skuId, 256));
    }

    // when
    JsonObject page = probe.get("/admin/skus").json();

    // then
    assertThat(ids(page)).isEqualTo("1 2");
    assertThat(page.getLong("next_after")).isEqualTo(2);
    assertThat(fixture.ledger.asked).containsExactly("skus 0 100");
  }

  @ParameterizedTest
  @CsvSource({"limit=0,limit", "limit=1001,limit", "after=-1,after", "after=x,after"})
  void shouldAnswer400WhenThePageIsWrong(String query, String field) {
    // when
    Answer answer = probe.get("/admin/skus?" + query);

    // then
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.field()).isEqualTo(field);
  }

  private static String ids(JsonObject page) {
    return page.getJsonArray("skus").stream()
        .map(sku -> ((JsonObject) sku).getLong("sku_id").toString())
        .reduce((a, b) -> a + " " + b)
        .orElse("");
  }
}
