package io.sluice.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.admin.OperatorBodies.Restock;
import io.sluice.ledger.Put;
import io.sluice.ledger.SaleLedger.NewSale;
import io.sluice.ledger.SaleLedger.SaleSku;
import io.sluice.ledger.SaleSkus;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.model.IfMatch;
import io.sluice.model.Limits;
import io.sluice.model.Sale.SaleTerms;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuSettings.Watermarks;
import io.sluice.web.Problem.BadInputException;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the bodies of operators' calls may contain, and how the problem names an invalid field. */
class OperatorBodiesTest {
  private static final OperatorBodies UNIT = new OperatorBodies(300, true);

  private static BadInputException fault(ThrowingCallable read) {
    return catchThrowableOfType(BadInputException.class, read);
  }

  private static void assertFault(BadInputException fault, String field, String detail) {
    assertThat(fault.field()).isEqualTo(field);
    assertThat(fault).hasMessageContaining(detail);
  }

  @ParameterizedTest
  @CsvSource({"false, ticket", "true, ok"})
  void shouldTakeTicketsOnlyIfAKeyVerifiesThem(boolean takesTickets, String result) {
    // given
    OperatorBodies unit = new OperatorBodies(300, takesTickets);
    Buffer sku = Buffer.buffer("{\"total_stock\":1,\"ticket\":true}");
    Buffer sale = Buffer.buffer("{\"name\":\"n\",\"ticket\":true}");

    // when
    BadInputException ofSku = fault(() -> unit.sku(7, sku, IfMatch.NOTHING));
    BadInputException ofSale = fault(() -> unit.sale("s", sale, IfMatch.NOTHING));

    // then
    assertThat(ofSku == null ? "ok" : ofSku.field()).isEqualTo(result);
    assertThat(ofSale == null ? "ok" : ofSale.field()).isEqualTo(result);
  }

  // ---- SKUs, restocks

  private static final Set<String> LEAVES =
      Set.of(
          "payment_window_s",
          "limit_per_user",
          "buckets",
          "opens_at",
          "closes_at",
          "ticket",
          "mode",
          "name",
          "allow_past");

  @Test
  void shouldTakeDefaultsOfASkuWhenOnlyTheStockIsGiven() {
    // when
    NewSku sku = UNIT.sku(7, Buffer.buffer("{\"total_stock\":0}"), IfMatch.of("a"));

    // then
    Put put = new Put(LEAVES, IfMatch.of("a"), false);
    assertThat(sku)
        .isEqualTo(new NewSku(7, 0, 1, Sku.Mode.FAST, new SkuSettings(300, 0, 0, 0), put));
  }

  @Test
  void shouldTakeEachSettingOfASkuWhenAllAreGiven() {
    // given
    String body =
        """
        {"total_stock":1000000000,"payment_window_s":2592000,"limit_per_user":1000,"buckets":256,
         "opens_at":"2026-11-21T08:00:00.123Z","closes_at":"2026-11-21T09:00:00Z","mode":"direct",
         "ticket":true,"name":"<b>Phone</b>","allow_past":true}
        """;

    // when
    NewSku sku = UNIT.sku(7, Buffer.buffer(body), IfMatch.NOTHING);

    // then
    assertThat(sku)
        .isEqualTo(
            new NewSku(
                7,
                1_000_000_000,
                256,
                Sku.Mode.DIRECT,
                new SkuSettings(2_592_000, 1_000, 1795248000123L, 1795251600000L, true),
                "<b>Phone</b>",
                new Put(Set.of(), IfMatch.NOTHING, true)));
  }

  @Test
  void shouldTakeNoTimesWhenTheyAreNull() {
    // given
    Buffer body = Buffer.buffer("{\"total_stock\":1,\"opens_at\":null,\"closes_at\":null}");

    // when
    NewSku sku = UNIT.sku(7, body, IfMatch.NOTHING);

    // then
    assertThat(sku.settings()).isEqualTo(new SkuSettings(300, 0, 0, 0));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[]|body|JSON object",
        "{|body|malformed",
        "{\"total_stock\":1.5}|total_stock|but got 1.5",
        "{\"total_stock\":\"10\"}|total_stock|but got text",
        "{\"total_stock\":1,\"buckets\":\"2\"}|buckets|but got text",
        "{\"total_stock\":1,\"limit_per_user\":-1}|limit_per_user|in 0..1000",
        "{\"total_stock\":1,\"opens_at\":\"\"}|opens_at|a time like",
        "{\"total_stock\":1,\"opens_at\":\"2026-13-01T00:00:00.000Z\"}|opens_at|a time like",
        "{\"total_stock\":1,\"mode\":\"\"}|mode|fast or direct",
        "{\"total_stock\":null}|total_stock|in 0..1000000000, but got null",
        "{\"total_stock\":-1}|total_stock|in 0..1000000000, but got -1",
        "{\"total_stock\":1000000001}|total_stock|in 0..1000000000",
        "{\"total_stock\":1,\"payment_window_s\":-1}|payment_window_s|in 0..2592000",
        "{\"total_stock\":1,\"payment_window_s\":2592001}|payment_window_s|in 0..2592000",
        "{\"total_stock\":1,\"payment_window_s\":null}|payment_window_s|but got null",
        "{\"total_stock\":1,\"limit_per_user\":1001}|limit_per_user|in 0..1000",
        "{\"total_stock\":1,\"buckets\":0}|buckets|in 1..256",
        "{\"total_stock\":1,\"buckets\":257}|buckets|in 1..256",
        "{\"total_stock\":1,\"opens_at\":\"tomorrow\"}|opens_at|a time like",
        "{\"total_stock\":1,\"opens_at\":1795248000123}|opens_at|a time like",
        "{\"total_stock\":1,\"closes_at\":\"2026-11-21T08:00:00+25:00\"}|closes_at|a time like",
        "{\"total_stock\":1,\"opens_at\":\"2026-11-21T08:00:00Z\",\"closes_at\":\"2026-11-21T08:00:00Z\"}|closes_at|after"
            + " opens_at",
        "{\"total_stock\":1,\"mode\":\"slow\"}|mode|fast or direct",
        "{\"total_stock\":1,\"mode\":\"FAST\"}|mode|fast or direct",
        "{\"total_stock\":1,\"mode\":null}|mode|Expected text",
        "{\"total_stock\":1,\"ticket\":1}|ticket|Expected true or false, but got 1",
        "{\"total_stock\":1,\"ticket\":\"true\"}|ticket|Expected true or false, but got text",
        "{\"total_stock\":1,\"ticket\":null}|ticket|Expected true or false, but got null",
        "{\"total_stock\":1,\"allow_past\":1}|allow_past|Expected true or false, but got 1",
        "{\"total_stock\":1,\"sku_id\":7}|sku_id|only the fields",
        "{\"total_stock\":1,\"total_stock\":1}|total_stock|comes twice",
      })
  void shouldNameTheFieldWhenTheSkuIsWrong(String body, String field, String detail) {
    // when
    BadInputException fault = fault(() -> UNIT.sku(7, Buffer.buffer(body), IfMatch.NOTHING));

    // then
    assertFault(fault, field, detail);
  }

  @ParameterizedTest
  @CsvSource({"1", "-1", "1000000000", "-1000000000"})
  void shouldReadTheRestockWhenItIsRight(long qty) {
    // given
    Buffer body = Buffer.buffer("{\"restock_id\":\"r-1:a@b_c.d\",\"qty\":" + qty + "}");

    // when
    Restock restock = OperatorBodies.restock(body);

    // then
    assertThat(restock).isEqualTo(new Restock("r-1:a@b_c.d", qty));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{}|restock_id|missing",
        "{\"restock_id\":\"r1\"}|qty|missing",
        "{\"qty\":1}|restock_id|missing",
        "{\"restock_id\":\"\",\"qty\":1}|restock_id|1 to 64 characters",
        "{\"restock_id\":\"a b\",\"qty\":1}|restock_id|1 to 64 characters",
        "{\"restock_id\":\"a#0\",\"qty\":1}|restock_id|1 to 64 characters",
        "{\"restock_id\":\"r\",\"qty\":\"1\"}|qty|but got text",
        "{\"restock_id\":\"r\",\"qty\":9223372036854775808}|qty|in -1000000000..1000000000",
        "{\"restock_id\":1,\"qty\":1}|restock_id|Expected text, but got 1",
        "{\"restock_id\":\"r1\",\"qty\":0}|qty|but got 0",
        "{\"restock_id\":\"r1\",\"qty\":1000000001}|qty|in -1000000000..1000000000",
        "{\"restock_id\":\"r1\",\"qty\":-1000000001}|qty|in -1000000000..1000000000",
        "{\"restock_id\":\"r1\",\"qty\":1.5}|qty|but got 1.5",
        "{\"restock_id\":\"r1\",\"qty\":1,\"why\":\"\"}|why|only the fields",
      })
  void shouldNameTheFieldWhenTheRestockIsWrong(String body, String field, String detail) {
    // when
    BadInputException fault = fault(() -> OperatorBodies.restock(Buffer.buffer(body)));

    // then
    assertFault(fault, field, detail);
  }

  // ---- sales

  private static final String HEAD = "{\"name\":\"n\",\"opens_at\":null,\"skus\":";

  @Test
  void shouldTakeDefaultsOfASaleWhenOnlyTheNecessaryIsGiven() {
    // when
    NewSale sale = read(HEAD + "[{\"sku_id\":7,\"total_stock\":0}]}");

    // then
    assertThat(sale)
        .isEqualTo(
            new NewSale(
                "s",
                "n",
                false,
                new SaleTerms(0, 0, 300, false),
                List.of(
                    SaleSkus.of(
                        7,
                        0,
                        1,
                        0,
                        Watermarks.DEFAULT,
                        Sku.Mode.FAST,
                        Set.of(
                            "buckets",
                            "limit_per_user",
                            "low_percent",
                            "last_percent",
                            "mode",
                            "name"))),
                new Put(
                    Set.of("closes_at", "payment_window_s", "carts", "ticket", "allow_past"),
                    IfMatch.of("a"),
                    false)));
  }

  @Test
  void shouldTakeEachSettingOfASaleWhenAllAreGiven() {
    // when
    NewSale sale =
        read(
            """
            {"name":"Singles' day, phones","opens_at":"2026-12-01T10:00:00.000Z",
             "closes_at":"2026-12-01T11:00:00Z","payment_window_s":2592000,"carts":true,"ticket":true,
             "allow_past":true,
             "skus":[{"sku_id":9007199254740991,"total_stock":1000000000,"limit_per_user":1000,
               "buckets":256,"low_percent":100,"last_percent":100,"name":"Phone"},
               {"last_percent":0,"low_percent":1,"total_stock":1,"sku_id":1}]}
            """);

    // then
    assertThat(sale)
        .isEqualTo(
            new NewSale(
                "s",
                "Singles' day, phones",
                true,
                new SaleTerms(1796119200000L, 1796122800000L, 2_592_000, true),
                List.of(
                    new SaleSku(
                        Limits.NEW_SKU_ID_MAX,
                        1_000_000_000,
                        256,
                        1_000,
                        new Watermarks(100, 100),
                        Sku.Mode.FAST,
                        "Phone",
                        Set.of("mode")),
                    SaleSkus.of(
                        1,
                        1,
                        1,
                        0,
                        new Watermarks(1, 0),
                        Sku.Mode.FAST,
                        Set.of("buckets", "limit_per_user", "mode", "name"))),
                new Put(Set.of(), IfMatch.of("a"), true)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"name\":\"\"}|name|1 to 128 characters",
        "{\"name\":\" \"}|name|1 to 128 characters",
        "{\"name\":\"a\\nb\"}|name|without control characters",
        "{\"name\":\"\\ud800\"}|name|characters",
        "{\"name\":7}|name|Expected text, but got 7",
        "{\"opens_at\":\"tomorrow\"}|opens_at|a time like",
        "{\"opens_at\":1}|opens_at|a time like",
        "{\"closes_at\":\"2026-12-01\"}|closes_at|a time like",
        "{\"payment_window_s\":-1}|payment_window_s|in 0..2592000",
        "{\"payment_window_s\":2592001}|payment_window_s|in 0..2592000",
        "{\"carts\":null}|carts|true or false",
        "{\"ticket\":1}|ticket|true or false",
        "{\"mode\":\"fast\"}|mode|only the fields",
        "{\"skus\":{}}|skus|a list of objects, but got an object",
        "{\"skus\":null}|skus|a list of objects, but got null",
        "{\"skus\":[7]}|skus[0]|Expected a JSON object, but got 7",
        "{\"skus\":[{}]}|skus[0].sku_id|missing",
        "{\"skus\":[{\"sku_id\":0}]}|skus[0].sku_id|in 1..",
        "{\"skus\":[{\"sku_id\":9007199254740992}]}|skus[0].sku_id|in 1..9007199254740991",
        "{\"skus\":[{\"sku_id\":1,\"total_stock\":1},{\"sku_id\":\"2\"}]}|skus[1].sku_id|but got"
            + " text",
        "{\"skus\":[{\"total_stock\":-1}]}|skus[0].total_stock|in 0..1000000000",
        "{\"skus\":[{\"total_stock\":1000000001}]}|skus[0].total_stock|in 0..1000000000",
        "{\"skus\":[{\"buckets\":0}]}|skus[0].buckets|in 1..256",
        "{\"skus\":[{\"buckets\":257}]}|skus[0].buckets|in 1..256",
        "{\"skus\":[{\"limit_per_user\":-1}]}|skus[0].limit_per_user|in 0..1000",
        "{\"skus\":[{\"limit_per_user\":1001}]}|skus[0].limit_per_user|in 0..1000",
        "{\"skus\":[{\"low_percent\":0}]}|skus[0].low_percent|in 1..100",
        "{\"skus\":[{\"low_percent\":101}]}|skus[0].low_percent|in 1..100",
        "{\"skus\":[{\"last_percent\":-1}]}|skus[0].last_percent|in 0..100",
        "{\"skus\":[{\"last_percent\":101}]}|skus[0].last_percent|in 0..100",
        "{\"skus\":[{\"sku_id\":1,\"sku_id\":1}]}|skus[0].sku_id|comes twice",
        "{\"skus\":[{\"mode\":\"slow\"}]}|skus[0].mode|fast or direct",
        "{\"skus\":[{\"price\":1}]}|skus[0].price|only the fields",
        "{\"skus\":[{\"sku_id\":{}}]}|skus[0].sku_id|but got an object",
        "{\"skus\":[[[[[]]]]]}|skus[0]|Expected a JSON object, but got an array",
        "{\"skus\":[{\"sku_id\":1,\"total_stock\":1}|body|malformed",
        "{\"skus\":[]} 7|body|nothing after",
      })
  void shouldNameTheFieldWhenTheSaleIsWrong(String body, String field, String detail) {
    // when
    BadInputException fault = fault(() -> read(body));

    // then
    assertFault(fault, field, detail);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[{\"sku_id\":1,\"total_stock\":1},{\"sku_id\":1,\"total_stock\":1}]|skus[1].sku_id|1 comes"
            + " twice",
      })
  void shouldNameTheSkuWhenSkusDoNotFit(String skus, String field, String detail) {
    // when
    BadInputException fault = fault(() -> read(HEAD + skus + "}"));

    // then
    assertFault(fault, field, detail);
  }

  @Test
  void shouldDemandThatItClosesAfterItOpens() {
    // given
    String body =
        "{\"name\":\"n\",\"opens_at\":\"2026-12-01T10:00:00Z\",\"closes_at\":\"2026-12-01T10:00:00Z\",\"skus\":[]}";

    // when
    BadInputException fault = fault(() -> read(body));

    // then
    assertThat(fault.field()).isEqualTo("closes_at");
  }

  @ParameterizedTest
  @CsvSource({"1000, ok", "1001, skus"})
  void shouldTakeSoManySkusInACall(int skus, String result) {
    // given
    String body =
        IntStream.rangeClosed(1, skus)
            .mapToObj("{\"sku_id\":%d,\"total_stock\":1}"::formatted)
            .collect(Collectors.joining(",", HEAD + "[", "]}"));

    // when
    BadInputException fault = fault(() -> read(body));

    // then
    assertThat(fault == null ? "ok" : fault.field()).isEqualTo(result);
  }

  private static NewSale read(String body) {
    return UNIT.sale("s", Buffer.buffer(body), IfMatch.of("a"));
  }
}
