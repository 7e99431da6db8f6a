package io.sluice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.SkuLedger.ChangeResult;
import io.sluice.ledger.SkuLedger.PutResult;
import io.sluice.ledger.SkuLedger.RestockResult;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.sluice.web.HttpProbe;
import io.sluice.web.HttpProbe.Answer;
import io.vertx.core.Future;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The endpoints that change SKUs: every row of the API's table. */
class StockAdminApiTest {
  private static final Sku SKU = FakeLedger.sku(7, 1);
  @AutoClose private final AdminPortFixture fixture = new AdminPortFixture("").serving();

  private final HttpProbe probe = fixture.probe;

  // ---- PUT

  @Test
  void shouldAnswerWithTheTagOfWhatIsNow() {
    // given
    fixture.ledger.putResult = Future.succeededFuture(new PutResult.Done(SKU, true));

    // when
    Answer answer = probe.json("PUT", "/admin/skus/7", "{\"total_stock\":1000}");

    // then
    assertThat(answer.header("etag")).isEqualTo('"' + SKU.tag() + '"');
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
    SkuSettings over = new SkuSettings(300, 1, now - 2_000, now - 1_000);
    Sku ended = SKU.with(over, SkuState.SCHEDULED, SkuState.SCHEDULED, SKU.membership());
    fixture.ledger.putResult = Future.succeededFuture(new PutResult.Done(ended, false));

    // when
    Answer answer = probe.json("PUT", "/admin/skus/7", "{\"total_stock\":1000}");

    // then
    assertThat(answer.json().getString("state")).isEqualTo("CLOSED");
    assertThat(answer.json().getString("opens_at")).isEqualTo("2026-11-21T07:59:58.000Z");
    assertThat(answer.json().getString("closes_at")).isEqualTo("2026-11-21T07:59:59.000Z");
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

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "x", "07", "9007199254740992", "9223372036854775808"})
  void shouldAnswer400WhenTheIdOfANewSkuIsWrongOrABrowserRoundsIt(String skuId) {
    // when
    Answer answer = probe.json("PUT", "/admin/skus/" + skuId, "{\"total_stock\":1}");

    // then
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.field()).isEqualTo("sku_id");
  }

  // ---- restock

  @Test
  void shouldTakeTheUnitsThatAreAskedForAndNameThemWhenTheyAreTooMany() {
    // given
    fixture.ledger.restocks.add(Future.succeededFuture(new RestockResult.TooMuch(1_000_000_000)));

    // when
    Answer answer =
        probe.json("POST", "/admin/skus/7/restock", "{\"restock_id\":\"r1\",\"qty\":50}");

    // then
    assertThat(answer.problem()).isEqualTo("bad-request");
    assertThat(answer.field()).isEqualTo("qty");
    assertThat(fixture.ledger.asked).containsExactly("restock 7 r1 50");
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
    assertThat(fixture.ledger.asked).containsExactly("change 7 " + change);
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
              assertThat(answer.problem()).isEqualTo("unknown-sku");
            });
  }
}
