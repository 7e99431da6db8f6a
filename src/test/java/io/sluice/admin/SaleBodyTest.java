package io.sluice.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.ledger.Put;
import io.sluice.ledger.SaleLedger.NewSale;
import io.sluice.ledger.SaleLedger.SaleSku;
import io.sluice.model.IfMatch;
import io.sluice.model.Limits;
import io.sluice.model.Sale.SaleTerms;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings.Watermarks;
import io.sluice.web.Problem.BadInputException;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the body of a PUT of a sale may contain, and how the problem names an invalid field. */
class SaleBodyTest {
  private static final String HEAD = "{\"name\":\"n\",\"opens_at\":null,\"skus\":";

  @Test
  void shouldTakeDefaultsWhenOnlyTheNecessaryIsGiven() {
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
                    new SaleSku(
                        7,
                        0,
                        1,
                        0,
                        Watermarks.DEFAULT,
                        Sku.Mode.FAST,
                        Set.of(
                            "buckets", "limit_per_user", "low_percent", "last_percent", "mode"))),
                new Put(
                    Set.of("closes_at", "payment_window_s", "carts", "ticket", "allow_past"),
                    IfMatch.of("a"),
                    false)));
  }

  @Test
  void shouldTakeEachSettingWhenAllAreGiven() {
    // when
    NewSale sale =
        read(
            """
            {"name":"Singles' day, phones","opens_at":"2026-12-01T10:00:00.000Z",
             "closes_at":"2026-12-01T11:00:00Z","payment_window_s":2592000,"carts":true,"ticket":true,
             "allow_past":true,
             "skus":[{"sku_id":9007199254740991,"total_stock":1000000000,"limit_per_user":1000,
               "buckets":256,"low_percent":100,"last_percent":100},
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
                        Set.of("mode")),
                    new SaleSku(
                        1,
                        1,
                        1,
                        0,
                        new Watermarks(1, 0),
                        Sku.Mode.FAST,
                        Set.of("buckets", "limit_per_user", "mode"))),
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
        "{\"opens_at\":\"tomorrow\"}|opens_at|UTC time",
        "{\"opens_at\":1}|opens_at|UTC time",
        "{\"closes_at\":\"2026-12-01\"}|closes_at|UTC time",
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
    BadInputException fault = catchThrowableOfType(BadInputException.class, () -> read(body));

    // then
    assertThat(fault.field()).isEqualTo(field);
    assertThat(fault).hasMessageContaining(detail);
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
    BadInputException fault =
        catchThrowableOfType(BadInputException.class, () -> read(HEAD + skus + "}"));

    // then
    assertThat(fault.field()).isEqualTo(field);
    assertThat(fault).hasMessageContaining(detail);
  }

  @Test
  void shouldDemandThatItClosesAfterItOpens() {
    // given
    String body =
        "{\"name\":\"n\",\"opens_at\":\"2026-12-01T10:00:00Z\",\"closes_at\":\"2026-12-01T10:00:00Z\",\"skus\":[]}";

    // when
    BadInputException fault = catchThrowableOfType(BadInputException.class, () -> read(body));

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
    BadInputException fault = catchThrowableOfType(BadInputException.class, () -> read(body));

    // then
    assertThat(fault == null ? "ok" : fault.field()).isEqualTo(result);
  }

  private static NewSale read(String body) {
    return new OperatorBodies(300, true).sale("s", Buffer.buffer(body), IfMatch.of("a"));
  }
}
