package io.sluice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.LedgerUnavailableException;
import io.sluice.ledger.SkuLedger.ChangeResult;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.ledger.SkuLedger.PutResult;
import io.sluice.ledger.SkuLedger.RestockResult;
import io.sluice.model.Placement;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.sluice.web.HttpProbe;
import io.sluice.web.HttpProbe.Answer;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The endpoints that change SKUs: every row of the API's table. */
class StockAdminApiTest {
  private static final Sku SKU = FakeLedger.sku(7, 1);
  private static final JsonObject SKU_JSON =
      new JsonObject(
          """
          {"sku_id": 7, "state": "OPEN", "total_stock": 1050, "buckets": 1, "mode": "fast",
           "payment_window_s": 300, "limit_per_user": 1, "opens_at": null, "closes_at": null,
           "ticket": false}
          """);

  @AutoClose private final AdminPortFixture fixture = new AdminPortFixture("").serving();

  private final HttpProbe probe = fixture.probe;

  // ---- PUT

  @ParameterizedTest
  @CsvSource({"true,201", "false,200"})
  void shouldAnswerTheSkuWhenPut(boolean created, int status) {
    // given
    fixture.ledger.putResult = Future.succeededFuture(new PutResult.Done(SKU, created));

    // when
    Answer answer = probe.json("PUT", "/admin/skus/7", "{\"total_stock\":1000}");

    // then
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.json()).isEqualTo(SKU_JSON.copy().put("changed", new JsonArray()));
    assertThat(answer.header("etag")).isEqualTo('"' + SKU.tag() + '"');
    NewSku put = Objects.requireNonNull(fixture.ledger.lastPut);
    assertThat(put.settings()).isEqualTo(new SkuSettings(300, 0, 0, 0));
    assertThat(put.put().leaves()).doesNotContain("total_stock").contains("opens_at", "ticket");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"a\"|\"a\"",
        "\"a\", \"b\"|\"a\" \"b\"",
        "\"a\",|\"a\"",
        ", \"a\" ,, \"b\"|\"a\" \"b\"",
        "\"a,b\"|\"a,b\"",
        "W/\"a\"|W/\"a\"",
        "*|*",
        "\"*\"|\"*\"",
        "\"\"|\"\"",
      })
  void shouldPassOnWhatMustNotHaveChanged(String ifMatch, String tags) {
    // given
    fixture.ledger.putResult = Future.succeededFuture(new PutResult.Moved(true));

    // when
    Answer answer =
        probe.json("PUT", "/admin/skus/7", "{\"limit_per_user\":2}", "If-Match", ifMatch);

    // then
    assertThat(answer.status()).isEqualTo(412);
    assertThat(answer.problem()).isEqualTo("changed-since");
    assertThat(Objects.requireNonNull(fixture.ledger.lastPut).put().ifMatch().tags())
        .containsExactlyInAnyOrder(tags.split(" "));
  }

  @Test
  void shouldTakeAListOfTagsInSeveralLines() {
    // given
    fixture.ledger.putResult = Future.succeededFuture(new PutResult.Moved(true));

    // when
    probe.json("PUT", "/admin/skus/7", "{}", "If-Match", "\"a\"", "If-Match", "\"b\"");

    // then
    assertThat(Objects.requireNonNull(fixture.ledger.lastPut).put().ifMatch().tags())
        .containsExactlyInAnyOrder("\"a\"", "\"b\"");
  }

  /** An empty If-Match was taken for none. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ",",
        "a",
        "\"a",
        "\"a\" \"b\"",
        "\"a b\"",
        "\"a\"b\"",
        "*,\"a\"",
        "\"a\",*",
        "*,*",
        "w/\"a\"",
        "W/a",
        "W/ \"a\"",
        "\""
      })
  void shouldAnswer400WhenIfMatchIsNoTag(String ifMatch) {
    // when
    Answer answer = probe.json("PUT", "/admin/skus/7", "{}", "If-Match", ifMatch);

    // then
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.field()).isEqualTo("If-Match");
    assertThat(answer.json().getString("detail")).contains("Expected * or the ETag of an answer");
    assertThat(fixture.ledger.lastPut).isNull();
  }

  @Test
  void shouldTellTheStateThatHoldsNowWhenTimesAreSet() {
    // given
    long now = AdminPortFixture.NOW.toEpochMilli();
    Sku ended =
        new Sku(
            7,
            1_000,
            1_050,
            1,
            Sku.Mode.FAST,
            new SkuSettings(300, 1, now - 2_000, now - 1_000),
            SkuState.SCHEDULED,
            SkuState.SCHEDULED,
            Placement.first(7, 1, 8));
    fixture.ledger.putResult = Future.succeededFuture(new PutResult.Done(ended, false));

    // when
    Answer answer = probe.json("PUT", "/admin/skus/7", "{\"total_stock\":1000}");

    // then
    assertThat(answer.json().getString("state")).isEqualTo("CLOSED");
    assertThat(answer.json().getString("opens_at")).isEqualTo("2026-11-21T07:59:58.000Z");
    assertThat(answer.json().getString("closes_at")).isEqualTo("2026-11-21T07:59:59.000Z");
  }

  @Test
  void shouldAnswer409WithTheFieldWhenASettingIsFixed() {
    // given
    fixture.ledger.putResult =
        Future.succeededFuture(new PutResult.Conflict("total_stock", "1000", "2000"));

    // when
    Answer answer = probe.json("PUT", "/admin/skus/7", "{\"total_stock\":2000}");

    // then
    assertThat(answer.status()).isEqualTo(409);
    assertThat(answer.problem()).isEqualTo("setting-fixed");
    assertThat(answer.field()).isEqualTo("total_stock");
    assertThat(answer.json().getString("detail"))
        .isEqualTo("Expected total_stock 1000 as in the first PUT, but got 2000");
  }

  @Test
  void shouldAnswer400WhenTicketsAreDemandedAndNoKeyVerifiesThem() {
    // when
    Answer answer = probe.json("PUT", "/admin/skus/7", "{\"total_stock\":1,\"ticket\":true}");

    // then
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.field()).isEqualTo("ticket");
    assertThat(fixture.ledger.lastPut).isNull();
  }

  @Test
  void shouldAnswer409WhenASkuThatIsFastIsToBeDirect() {
    // given
    fixture.ledger.has(SKU);
    fixture.ledger.putResult =
        Future.succeededFuture(new PutResult.Conflict("mode", "fast", "direct"));

    // when
    Answer answer = probe.json("PUT", "/admin/skus/7", "{\"total_stock\":1,\"mode\":\"direct\"}");

    // then
    assertThat(answer.problem()).isEqualTo("setting-fixed");
    assertThat(answer.field()).isEqualTo("mode");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "x", "07", "9007199254740992", "9223372036854775808"})
  void shouldAnswer400WhenTheIdOfANewSkuIsWrongOrABrowserRoundsIt(String skuId) {
    // when
    Answer answer = probe.json("PUT", "/admin/skus/" + skuId, "{\"total_stock\":1}");

    // then
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.field()).isEqualTo("sku_id");
  }

  @ParameterizedTest
  @CsvSource({"PUT,/admin/skus/7", "POST,/admin/skus/7/restock"})
  void shouldAnswerItsProblemWhenTheBodyIsWrong(String method, String path) {
    // when
    Answer notJson = probe.send(method, path, BodyPublishers.ofString("{}"));
    Answer tooLarge = probe.json(method, path, " ".repeat(16 * 1024 + 1));
    Answer empty = probe.json(method, path, "{\"total_stock\":null}");

    // then
    assertThat(notJson.problem()).isEqualTo("unsupported-media-type");
    assertThat(tooLarge.problem()).isEqualTo("content-too-large");
    assertThat(empty.problem()).isEqualTo("bad-request");
    assertThat(empty.field()).isEqualTo("total_stock");
    assertThat(fixture.ledger.asked).isEmpty();
  }

  // ---- restock

  @Test
  void shouldAnswer200WithTheSkuWhenRestocked() {
    // given
    fixture.ledger.restocks.add(Future.succeededFuture(new RestockResult.Done(SKU)));

    // when
    Answer answer =
        probe.json("POST", "/admin/skus/7/restock", "{\"restock_id\":\"r1\",\"qty\":50}");

    // then
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json()).isEqualTo(SKU_JSON);
    assertThat(fixture.ledger.asked).containsExactly("restock 7 r1 50");
  }

  static Stream<Arguments> refusedRestocks() {
    return Stream.of(
        Arguments.of(new RestockResult.Refused(3), 409, "not-enough-unsold", "qty"),
        Arguments.of(new RestockResult.Mismatch(60), 409, "key-mismatch", "restock_id"),
        Arguments.of(new RestockResult.TooMuch(1_000_000_000), 400, "bad-request", "qty"),
        Arguments.of(new RestockResult.Unknown(), 404, "unknown-sku", null));
  }

  @ParameterizedTest
  @MethodSource("refusedRestocks")
  void shouldAnswerItsProblemWhenARestockIsRefused(
      RestockResult result, int status, String problem, String field) {
    // given
    fixture.ledger.restocks.add(Future.succeededFuture(result));

    // when
    Answer answer =
        probe.json("POST", "/admin/skus/7/restock", "{\"restock_id\":\"r1\",\"qty\":-50}");

    // then
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.problem()).isEqualTo(problem);
    assertThat(answer.field()).isEqualTo(field);
    assertThat(answer.json().getString("detail")).startsWith("Expected ");
  }

  // ---- state

  @ParameterizedTest
  @CsvSource({"open,OPEN", "close,CLOSE", "freeze,FREEZE", "unfreeze,UNFREEZE"})
  void shouldAnswer200WithTheSkuWhenItsStateIsChanged(String call, String change) {
    // given
    fixture.ledger.changeResult = Future.succeededFuture(new ChangeResult.Done(SKU));

    // when
    Answer answer = probe.post("/admin/skus/7/" + call);

    // then
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json()).isEqualTo(SKU_JSON);
    assertThat(fixture.ledger.asked).containsExactly("change 7 " + change);
  }

  @Test
  void shouldAnswer409WhenTheSkuIsFrozen() {
    // given
    fixture.ledger.changeResult = Future.succeededFuture(new ChangeResult.IsFrozen());

    // when
    Answer answer = probe.post("/admin/skus/7/open");

    // then
    assertThat(answer.status()).isEqualTo(409);
    assertThat(answer.problem()).isEqualTo("sku-frozen");
  }

  @Test
  void shouldAnswer200WhenRebuilt() {
    // given
    fixture.ledger.has(SKU);
    fixture.ledger.answers.add(Optional.of("{}"));

    // when
    Answer answer = probe.post("/admin/skus/7/rebuild");

    // then
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json()).isEqualTo(SKU_JSON);
  }

  @ParameterizedTest
  @ValueSource(strings = {"7", "x", "0"})
  void shouldAnswer404WhenThereIsNoSuchSku(String skuId) {
    // given
    fixture.ledger.changeResult = Future.succeededFuture(new ChangeResult.Unknown());

    // when
    Stream<Answer> answers =
        Stream.of(
            probe.get("/admin/skus/" + skuId),
            probe.post("/admin/skus/" + skuId + "/open"),
            probe.post("/admin/skus/" + skuId + "/rebuild"));

    // then
    assertThat(answers)
        .allSatisfy(
            answer -> {
              assertThat(answer.status()).isEqualTo(404);
              assertThat(answer.problem()).isEqualTo("unknown-sku");
            });
  }

  @Test
  void shouldAnswer503WhenTheLedgerDoesNotAnswer() {
    // given
    fixture.ledger.changeResult =
        Future.failedFuture(new LedgerUnavailableException("no route to 10.1.2.3", null));

    // when
    Answer answer = probe.post("/admin/skus/7/open");

    // then
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.problem()).isEqualTo("unavailable");
    assertThat(answer.header("retry-after")).isNotNull();
    assertThat(answer.text()).doesNotContain("10.1.2.3");
  }
}
