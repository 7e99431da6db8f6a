package io.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.SkuState;
import io.sluice.order.SkuLevels.Level;
import io.sluice.order.SkuLevels.SkuLevel;
import io.sluice.web.HttpProbe.Answer;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code GET /v1/skus/{sku_id}}. */
class SkuApiTest {
  @RegisterExtension
  static final PublicPortFixture fixture =
      PublicPortFixture.serving(PublicPortFixture.TOKEN_BACK_OFFICE);

  @Test
  void shouldAnswer200CacheableForASecondWhenKnown() {
    // given
    fixture.level =
        Future.succeededFuture(
            Optional.of(new SkuLevel(1001, SkuState.SCHEDULED, Level.LAST, 1795248000000L, 0)));

    // when
    Answer answer = fixture.probe.get("/v1/skus/1001");

    // then
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("cache-control")).isEqualTo("public, max-age=1");
    assertThat(answer.json())
        .isEqualTo(
            new JsonObject()
                .put("sku_id", 1001)
                .put("state", "SCHEDULED")
                .put("level", "LAST")
                .put("opens_at", "2026-11-21T08:00:00.000Z")
                .putNull("closes_at"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "9223372036854775807"})
  void shouldAnswer404WhenUnknown(String skuId) {
    // given
    fixture.level = Future.succeededFuture(Optional.empty());

    // when
    Answer answer = fixture.probe.get("/v1/skus/" + skuId);

    // then
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.problem()).isEqualTo("unknown-sku");
    assertThat(answer.header("cache-control")).isEqualTo("no-store");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "01", "x", "1.0", "9223372036854775808", "%31x"})
  void shouldAnswer404WithoutAskingWhenThereCanBeNone(String skuId) {
    // given
    fixture.level = Future.failedFuture("asked");

    // when
    Answer answer = fixture.probe.get("/v1/skus/" + skuId);

    // then
    assertThat(answer.problem()).isEqualTo("unknown-sku");
  }

  @Test
  void shouldAnswer503WhenItCannotBeLearnt() {
    // given
    fixture.level = Future.failedFuture("the database is down");

    // when
    Answer answer = fixture.probe.get("/v1/skus/1001");

    // then
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.problem()).isEqualTo("unavailable");
    assertThat(answer.header("retry-after")).isNotNull();
    assertThat(answer.text()).doesNotContain("database");
  }
}
