package io.sluice.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.admin.OperatorBodies.Restock;
import io.sluice.ledger.Put;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.model.IfMatch;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.web.Problem.BadInputException;
import io.vertx.core.buffer.Buffer;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the bodies of operators' calls may contain, and how the problem names an invalid field. */
class SkuBodyTest {
  private static final Set<String> LEAVES =
      Set.of(
          "payment_window_s",
          "limit_per_user",
          "buckets",
          "opens_at",
          "closes_at",
          "ticket",
          "mode",
          "allow_past");

  @Test
  void shouldTakeDefaultsWhenOnlyTheStockIsGiven() {
    // when
    NewSku sku =
        new OperatorBodies(300, true).sku(7, Buffer.buffer("{\"total_stock\":0}"), IfMatch.of("a"));

    // then
    Put put = new Put(LEAVES, IfMatch.of("a"), false);
    assertThat(sku)
        .isEqualTo(new NewSku(7, 0, 1, Sku.Mode.FAST, new SkuSettings(300, 0, 0, 0), put));
  }

  @Test
  void shouldTakeEachSettingWhenAllAreGiven() {
    // given
    String body =
        """
        {"total_stock":1000000000,"payment_window_s":2592000,"limit_per_user":1000,"buckets":256,
         "opens_at":"2026-11-21T08:00:00.123Z","closes_at":"2026-11-21T09:00:00Z","mode":"direct",
         "ticket":true,"allow_past":true}
        """;

    // when
    NewSku sku = new OperatorBodies(300, true).sku(7, Buffer.buffer(body), IfMatch.NOTHING);

    // then
    assertThat(sku)
        .isEqualTo(
            new NewSku(
                7,
                1_000_000_000,
                256,
                Sku.Mode.DIRECT,
                new SkuSettings(2_592_000, 1_000, 1795248000123L, 1795251600000L, true),
                new Put(Set.of(), IfMatch.NOTHING, true)));
  }

  @Test
  void shouldTakeNoTimesWhenTheyAreNull() {
    // given
    Buffer body = Buffer.buffer("{\"total_stock\":1,\"opens_at\":null,\"closes_at\":null}");

    // when
    NewSku sku = new OperatorBodies(300, true).sku(7, body, IfMatch.NOTHING);

    // then
    assertThat(sku.settings()).isEqualTo(new SkuSettings(300, 0, 0, 0));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[]|body|JSON object",
        "{\"total_stock\":null}|total_stock|in 0..1000000000, but got null",
        "{\"total_stock\":-1}|total_stock|in 0..1000000000, but got -1",
        "{\"total_stock\":1000000001}|total_stock|in 0..1000000000",
        "{\"total_stock\":1,\"payment_window_s\":-1}|payment_window_s|in 0..2592000",
        "{\"total_stock\":1,\"payment_window_s\":2592001}|payment_window_s|in 0..2592000",
        "{\"total_stock\":1,\"payment_window_s\":null}|payment_window_s|but got null",
        "{\"total_stock\":1,\"limit_per_user\":1001}|limit_per_user|in 0..1000",
        "{\"total_stock\":1,\"buckets\":0}|buckets|in 1..256",
        "{\"total_stock\":1,\"buckets\":257}|buckets|in 1..256",
        "{\"total_stock\":1,\"opens_at\":\"tomorrow\"}|opens_at|UTC time",
        "{\"total_stock\":1,\"opens_at\":1795248000123}|opens_at|UTC time",
        "{\"total_stock\":1,\"closes_at\":\"2026-11-21T08:00:00+01:00\"}|closes_at|UTC time",
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
    // given
    Buffer bytes = Buffer.buffer(body);

    // when
    BadInputException fault =
        catchThrowableOfType(
            BadInputException.class,
            () -> new OperatorBodies(300, true).sku(7, bytes, IfMatch.NOTHING));

    // then
    assertThat(fault.field()).isEqualTo(field);
    assertThat(fault).hasMessageContaining(detail);
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
        "{\"restock_id\":1,\"qty\":1}|restock_id|Expected text, but got 1",
        "{\"restock_id\":\"r1\",\"qty\":0}|qty|but got 0",
        "{\"restock_id\":\"r1\",\"qty\":1000000001}|qty|in -1000000000..1000000000",
        "{\"restock_id\":\"r1\",\"qty\":-1000000001}|qty|in -1000000000..1000000000",
        "{\"restock_id\":\"r1\",\"qty\":1.5}|qty|but got 1.5",
        "{\"restock_id\":\"r1\",\"qty\":1,\"why\":\"\"}|why|only the fields",
      })
  void shouldNameTheFieldWhenTheRestockIsWrong(String body, String field, String detail) {
    // given
    Buffer bytes = Buffer.buffer(body);

    // when
    BadInputException fault =
        catchThrowableOfType(BadInputException.class, () -> OperatorBodies.restock(bytes));

    // then
    assertThat(fault.field()).isEqualTo(field);
    assertThat(fault).hasMessageContaining(detail);
  }
}
