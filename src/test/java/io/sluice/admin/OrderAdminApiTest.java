package io.sluice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.History.Chapter;
import io.sluice.ledger.History.FoundPage;
import io.sluice.ledger.History.FoundPlace;
import io.sluice.ledger.History.HoldPlace;
import io.sluice.ledger.History.Page;
import io.sluice.ledger.History.SalePage;
import io.sluice.ledger.History.SalePlace;
import io.sluice.ledger.History.Story;
import io.sluice.model.Command;
import io.sluice.model.Grants;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.sluice.order.CommandAnswer;
import io.sluice.web.HttpProbe.Answer;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code /admin/orders}: every row of the API's table. */
class OrderAdminApiTest {
  private static final String TOKEN = "token-of-the-operators";
  private static final OrderToken ORDER =
      OrderToken.parse("1001.0.AAAAAAAAAAAAAAAAAAAAAA").orElseThrow();
  private static final Order PENDING =
      Order.reserved(
              Grants.of(ORDER, "alice", 1, 7, 1, 1795248000123L, 1795248300123L, 0, "cart-7"))
          .changed(OrderStatus.PENDING, null, 1795248000200L);

  @AutoClose private final AdminPortFixture fixture = new AdminPortFixture(TOKEN).serving();

  private Answer get(String path) {
    return fixture.probe.get(path, "Authorization", "Bearer " + TOKEN);
  }

  @Test
  void shouldTellTheStoryWithTheTimeBetween() {
    // given
    fixture.stories.story =
        Optional.of(
            new Story(
                PENDING,
                List.of(
                    new Chapter("GRANTED", null, 1, "cart-7", 1795248000123L),
                    new Chapter("BOOKED", null, 1, null, 1795248000200L),
                    new Chapter("CANCEL", "TIMEOUT", 1, null, 1795248300200L))));

    // when
    Answer answer = get("/admin/orders/" + ORDER);

    // then
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json().getString("user_id")).isEqualTo("alice");
    assertThat(answer.json().getJsonArray("story"))
        .extracting(told -> ((JsonObject) told).getString("what"))
        .containsExactly("GRANTED", "BOOKED", "CANCEL");
    assertThat(answer.json().getJsonArray("story").getJsonObject(2))
        .isEqualTo(
            new JsonObject()
                .put("what", "CANCEL")
                .put("at", "2026-11-21T08:05:00.200Z")
                .put("after_ms", 300_000)
                .put("qty", 1)
                .put("reason", "TIMEOUT"));
  }

  @ParameterizedTest
  @CsvSource({"/admin/orders/x", "/admin/orders/1001.0.AAAAAAAAAAAAAAAAAAAAAA"})
  void shouldAnswer404WhenThereIsNoSuchOrder(String path) {
    // when
    Answer answer = get(path);

    // then
    assertThat(answer.problem()).isEqualTo("unknown-order");
  }

  @ParameterizedTest
  @CsvSource({
    "'',1",
    "&status=PENDING,1",
    "&status=CONFIRMED,0",
    "&user_id=alice,1",
    "&user_id=bob,0",
    "&reference=cart-7,1",
    "&reference=cart,0",
  })
  void shouldListWhatPassesTheFilter(String filter, int listed) {
    // given
    fixture.stories.page = new Page(List.of(PENDING), new HoldPlace(0, 1, 7), false);

    // when
    Answer answer = get("/admin/orders?sku_id=1001&limit=1&after=0.1.6" + filter);

    // then
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json().getJsonArray("orders")).hasSize(listed);
    assertThat(answer.json().getString("next")).isEqualTo("0.1.7");
    assertThat(fixture.stories.asked).containsExactly("page 1001 0.1.6 1");
  }

  @ParameterizedTest
  @CsvSource({
    "user_id=alice,USER alice newest 100,1",
    "user_id=alice&status=CONFIRMED,USER alice newest 100,0",
    "reference=cart-7,REFERENCE cart-7 newest 100,1",
    "payment_ref=pay-1&limit=1,PAYMENT pay-1 newest 1,1",
    "user_id=alice&after=7.1001.0.AAAAAAAAAAAAAAAAAAAAAA,"
        + "USER alice 7.1001.0.AAAAAAAAAAAAAAAAAAAAAA 100,1",
  })
  void shouldLookUpOrdersOfAllSkus(String query, String asked, int listed) {
    // given
    fixture.stories.foundPage =
        new FoundPage(List.of(PENDING), Optional.of(new FoundPlace(1795248000123L, ORDER)));

    // when
    Answer answer = get("/admin/orders?" + query);

    // then
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json().getJsonArray("orders")).hasSize(listed);
    assertThat(answer.json().getString("next")).isEqualTo("1795248000123." + ORDER);
    assertThat(fixture.stories.asked).containsExactly("look up " + asked);
  }

  @Test
  void shouldBeginAtTheFirstAndEndAtTheLast() {
    // when
    Answer answer = get("/admin/orders?sku_id=1001");

    // then
    assertThat(answer.json()).isEqualTo(new JsonObject("{\"orders\":[],\"next\":null}"));
    assertThat(fixture.stories.asked).containsExactly("page 1001 -1.0.0 100");
  }

  @ParameterizedTest
  @CsvSource({
    "'',sku_id",
    "sku_id=0,sku_id",
    "sku_id=x,sku_id",
    "sku_id=1&limit=0,limit",
    "sku_id=1&limit=501,limit",
    "sku_id=1&status=PAID,status",
    "sku_id=1&format=xml,format",
    "sku_id=1&format=ndjson&after=7,after",
    "sku_id=1&after=7,after",
    "sku_id=1&after=-1.0.0,after",
    "sku_id=1&after=1.0.1.7,after",
    "sku_id=1&user_id=a%20b,user_id",
    "sku_id=1&user_id=,user_id",
    "sku_id=1&reference=,reference",
    "sku_id=1&reference=a%20b,reference",
    "sku_id=1&status=,status",
    "sku_id=1&status=PENDING&status=CONFIRMED,status",
    "sku_id=1&payment_ref=pay-1,payment_ref",
    "sale_id=phones-12&payment_ref=pay-1,payment_ref",
    "payment_ref=,payment_ref",
    "payment_ref=a%20b,payment_ref",
    "reference=a%20b,reference",
    "user_id=a&reference=b,user_id",
    "user_id=a&payment_ref=b,user_id",
    "user_id=a&after=0.1.7,after",
    "user_id=a&after=7.1001.0.x,after",
    "user_id=a&after=7,after",
    "status=PENDING,sku_id",
    "sku_id=1&sale_id=phones-12,sale_id",
    "sku_id=1&sale_id=,sale_id",
    "sku_id=x&sale_id=phones-12,sku_id",
    "sale_id=,sale_id",
    "sale_id=a/b,sale_id",
    "sale_id=a&sale_id=b,sale_id",
    "sale_id=a&limit=501,limit",
    "sale_id=a&after=0.1.7,after",
    "sale_id=a&after=1,after",
    "sale_id=a&after=.0.1.7,after",
    "sale_id=a&after=0.0.1.7,after",
    "sale_id=a&after=01.0.1.7,after",
    "sale_id=a&after=9223372036854775808.0.1.7,after",
    "sale_id=a&format=ndjson&after=1.0.1.,after",
  })
  void shouldAnswer400WithTheFieldWhenAParameterIsWrong(String query, String field) {
    // when
    Answer answer = get("/admin/orders?" + query);

    // then
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.field()).isEqualTo(field);
    assertThat(fixture.stories.asked).isEmpty();
  }

  @Test
  void shouldListTheOrdersOfASale() {
    // given
    SalePlace last = new SalePlace(1002, new HoldPlace(0, 1, 7));
    fixture.stories.salePage = Optional.of(new SalePage(List.of(PENDING), last, false));

    // when
    Answer first = get("/admin/orders?sale_id=phones-12");
    Answer next =
        get(
            "/admin/orders?sale_id=phones-12&limit=3&user_id=bob&after="
                + first.json().getString("next"));

    // then
    assertThat(first.json().getJsonArray("orders")).hasSize(1);
    assertThat(first.json().getString("next")).isEqualTo("1002.0.1.7");
    assertThat(next.status()).isEqualTo(200);
    assertThat(next.json().getJsonArray("orders")).isEmpty();
    assertThat(fixture.stories.asked)
        .containsExactly("page phones-12 1.0.0.0 100", "page phones-12 1002.0.1.7 3");
  }

  @Test
  void shouldEndWithTheLastOrderOfASale() {
    // given
    fixture.stories.salePage =
        Optional.of(new SalePage(List.of(PENDING), SalePlace.begin(1001), true));

    // when
    Answer answer = get("/admin/orders?sale_id=phones-12");

    // then
    assertThat(answer.json().getJsonArray("orders")).hasSize(1);
    assertThat(answer.json().getString("next")).isNull();
  }

  @ParameterizedTest
  @CsvSource({"json", "ndjson", "csv"})
  void shouldAnswer404WhenThereIsNoSuchSale(String format) {
    // when
    Answer answer = get("/admin/orders?sale_id=phones-13&format=" + format);

    // then
    assertThat(answer.problem()).isEqualTo("unknown-sale");
  }

  private Answer command(String body) {
    return fixture.probe.json(
        "POST", "/admin/orders/" + ORDER + "/command", body, "Authorization", "Bearer " + TOKEN);
  }

  @Test
  void shouldRunTheCommandThatItIsGiven() {
    // given
    fixture.commandAnswer = new CommandAnswer.Done(PENDING);

    // when
    Stream.of("confirm", "cancel", "refund")
        .forEach(word -> command("{\"command\":\"" + word + "\"}"));
    command("{\"command\":\"extend\",\"seconds\":86400}");
    command("{\"command\":\"refund\",\"restock\":false}");

    // then
    assertThat(fixture.commands)
        .containsExactly(
            new Command.Confirm(ORDER),
            new Command.Cancel(ORDER, Reason.OPERATOR),
            new Command.Refund(ORDER),
            new Command.Extend(ORDER, 86_400),
            new Command.Refund(ORDER, false));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "{},command",
        "{'command':'sell'},command",
        "{'command':'extend'},seconds",
        "{'command':'extend';'seconds':0},seconds",
        "{'command':'extend';'seconds':86401},seconds",
        "{'command':'cancel';'seconds':60},seconds",
        "{'command':'cancel';'payment_ref':'p'},payment_ref",
        "{'command':'cancel';'restock':false},restock",
        "{'command':'refund';'restock':'no'},restock"
      })
  void shouldRunNoCommandThatIsNotWhole(String body, String field) {
    // when
    Answer answer = command(body.replace("'", "\"").replace(";", ","));

    // then
    assertThat(answer.problem()).isEqualTo("bad-request");
    assertThat(answer.json().getString("field")).isEqualTo(field);
    assertThat(fixture.commands).isEmpty();
  }
}
