package io.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.web.HttpProbe.Answer;
import io.vertx.core.Future;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code GET /v1/skus/{sku_id}} and {@code GET /v1/sales/{sale_id}} beyond the examples of the
 * contract.
 */
class LevelApiTest {
  @RegisterExtension
  static final PublicPortFixture fixture =
      PublicPortFixture.serving(PublicPortFixture.TOKEN_BACK_OFFICE);

  @ParameterizedTest
  @CsvSource({
    "skus/1,unknown-sku",
    "skus/9223372036854775807,unknown-sku",
    "sales/phones-12,unknown-sale",
    "sales/a%20b,unknown-sale",
    "sales/!,unknown-sale",
  })
  void shouldAnswer404ThatNobodyKeepsWhenUnknown(String path, String problem) {
    // when
    Answer answer = fixture.probe.get("/v1/" + path);

    // then
    assertThat(answer.problem()).isEqualTo(problem);
    assertThat(answer.header("cache-control")).isEqualTo("no-store");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "01", "x", "1.0", "9223372036854775808", "%31x"})
  void shouldAnswer404WithoutAskingWhenThereCanBeNoSuchSku(String skuId) {
    // given
    fixture.level = Future.failedFuture("asked");

    // when
    Answer answer = fixture.probe.get("/v1/skus/" + skuId);

    // then
    assertThat(answer.problem()).isEqualTo("unknown-sku");
  }

  @ParameterizedTest
  @ValueSource(strings = {"limit=0", "limit=101", "limit=x", "after=-1", "after=1&after=2"})
  void shouldAnswer400WhenAParameterIsWrong(String query) {
    // when
    Answer answer = fixture.probe.get("/v1/sales/phones-12?" + query);

    // then
    assertThat(answer.problem()).isEqualTo("bad-request");
    assertThat(answer.field()).isEqualTo(query.substring(0, 5));
  }
}
