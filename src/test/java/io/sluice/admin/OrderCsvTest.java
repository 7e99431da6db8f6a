package io.sluice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.Reason;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of orders: their columns, quotes, and texts that would be formulas. */
class OrderCsvTest {
  private static final Map<Long, String> NAMES = Map.of(1001L, "=Phone", 1002L, "Case");

  private static List<String> columns(String row) {
    return Arrays.asList(row.split(",", -1));
  }

  private static String column(String name, Order order) {
    List<String> head = columns(OrderCsv.HEAD.strip());
    return columns(OrderCsv.row(order, NAMES).strip()).get(head.indexOf(name));
  }

  private static Order named(String reference) {
    Order order = FakeStories.PENDING;
    Grant grant = order.grant();
    return Order.reserved(
        new Grant(grant.token(), grant.userId(), grant.units(), reference, grant.cart()));
  }

  @Test
  void shouldHaveAValueForEachColumn() {
    // given
    Order ended = FakeStories.PENDING.changed(OrderStatus.CANCELED, Reason.TIMEOUT, 1795248300999L);

    // when
    String row = OrderCsv.row(ended, NAMES);

    // then
    assertThat(row).endsWith("\r\n");
    assertThat(columns(row)).hasSameSizeAs(columns(OrderCsv.HEAD));
    assertThat(column("order_token", ended)).isEqualTo(ended.token().value());
    assertThat(column("sku_id", ended)).isEqualTo("1001");
    assertThat(column("status", ended)).isEqualTo("CANCELED");
    assertThat(column("reason", ended)).isEqualTo("TIMEOUT");
    assertThat(column("user_id", ended)).isEqualTo("alice");
    assertThat(column("payment_ref", ended)).isEmpty();
    assertThat(column("lines", ended)).isEmpty();
    assertThat(column("updated_at", ended)).isEqualTo("2026-11-21T08:05:00.999Z");
  }

  @Test
  void shouldHaveTheLinesOfAnOrderOfSeveralSkus() {
    assertThat(column("lines", FakeStories.CART)).isEqualTo("\"1001:1;1002:2\"");
    assertThat(column("name", FakeStories.PENDING)).isEqualTo("'=Phone");
    assertThat(column("name", FakeStories.CART)).isEqualTo("\"'=Phone; Case\"");
    assertThat(column("qty", FakeStories.CART)).isEqualTo("3");
    assertThat(column("order_token", FakeStories.CART)).isEqualTo(FakeStories.CART.token().value());
    assertThat(column("sku_id", FakeStories.CART) + column("seq", FakeStories.CART)).isEmpty();
  }

  /** A buyer's reference was run when the shop opened the file. */
  @ParameterizedTest
  @ValueSource(strings = {"=1+1", "+1", "-1", "@SUM(A1)", "=cmd|'/C_calc'!A0"})
  void shouldSendNothingThatBeginsAsAFormula(String reference) {
    assertThat(column("reference", named(reference))).isEqualTo("'" + reference);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a|a",
        "a b|a b",
        "a,b|\"a,b\"",
        "a\"b|\"a\"\"b\"",
        "=\"a\",b|\"'=\"\"a\"\",b\"",
        "``|``",
        "a=b|a=b",
        "x;=1+1;@y|\"x;'=1+1;'@y\"",
        "x;y|\"x;y\"",
      })
  void shouldQuoteWhatIsMoreThanAWord(String value, String field) {
    assertThat(OrderCsv.field(value)).isEqualTo(field);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\ta", "\ra"})
  void shouldSendNoFormulaBehindWhatNobodySees(String value) {
    assertThat(OrderCsv.field(value).replace("\"", "")).startsWith("'");
  }
}
