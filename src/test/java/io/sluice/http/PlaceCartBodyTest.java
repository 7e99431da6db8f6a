package io.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.grant.OrderWish.Line;
import io.sluice.http.OrderBodies.PlaceOrderBody;
import io.sluice.model.Limits;
import io.sluice.web.Problem.BadInputException;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The lines of an order of several SKUs, and how an invalid one is reported. */
class PlaceCartBodyTest {
  private static final String LINE = "{\"sku_id\":1,\"qty\":1}";

  private static PlaceOrderBody read(String body) {
    return PlaceOrderBody.read(Buffer.buffer(body));
  }

  private static String lines(int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(sku -> "{\"sku_id\":" + sku + ",\"qty\":" + sku + "}")
        .collect(Collectors.joining(",", "{\"lines\":[", "]}"));
  }

  @ParameterizedTest
  @ValueSource(ints = {Limits.CART_LINES_MIN, Limits.CART_LINES_MAX})
  void shouldReadAsManyLinesAsACartMayHave(int count) {
    // when
    PlaceOrderBody order = read(lines(count));

    // then
    List<Line> all = IntStream.rangeClosed(1, count).mapToObj(sku -> new Line(sku, sku)).toList();
    assertThat(order).isEqualTo(new PlaceOrderBody(null, all));
  }

  @Test
  void shouldKeepTheLinesAsTheyCameWithTheReferenceOfTheWholeOrder() {
    // when
    PlaceOrderBody order =
        read(
            "{\"reference\":\"r\", \"lines\" : [ {\"qty\":1000,\"sku_id\":9223372036854775807},"
                + LINE
                + "]}");

    // then
    List<Line> asTheyCame = List.of(new Line(Long.MAX_VALUE, 1_000), new Line(1, 1));
    assertThat(order).isEqualTo(new PlaceOrderBody("r", asTheyCame));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[]|lines|Expected 2 to 20 lines, but got 0",
        "[LINE]|lines|Expected 2 to 20 lines, but got 1",
        "[],\"sku_id\":3|qty|missing",
        "[],\"qty\":3|qty|Expected either lines or sku_id and qty",
        "null|lines|but got null",
        "7|lines|but got 7",
        "\"lines\"|lines|but got text",
        "LINE|lines|but got an object",
        "[7]|lines[0]|but got 7",
        "[LINE,null]|lines[1]|but got null",
        "[LINE,[LINE]]|lines[1]|but got an array",
        "[LINE,{}]|lines[1].sku_id|missing",
        "[LINE,{\"qty\":1}]|lines[1].sku_id|missing",
        "[LINE,{\"sku_id\":2}]|lines[1].qty|missing",
        "[LINE,{\"sku_id\":0,\"qty\":1}]|lines[1].sku_id|but got 0",
        "[LINE,{\"sku_id\":\"2\",\"qty\":1}]|lines[1].sku_id|but got text",
        "[LINE,{\"sku_id\":9223372036854775808,\"qty\":1}]|lines[1].sku_id|in"
            + " 1..9223372036854775807",
        "[LINE,{\"sku_id\":2,\"qty\":0}]|lines[1].qty|in 1..1000, but got 0",
        "[LINE,{\"sku_id\":2,\"qty\":-1}]|lines[1].qty|but got -1",
        "[LINE,{\"sku_id\":2,\"qty\":1001}]|lines[1].qty|but got 1001",
        "[LINE,{\"sku_id\":2,\"qty\":1.5}]|lines[1].qty|but got 1.5",
        "[LINE,{\"sku_id\":2,\"qty\":1,\"qty\":1}]|lines[1].qty|comes twice",
        "[LINE,{\"sku_id\":2,\"qty\":1,\"price\":1}]|lines[1].price|Expected only the fields"
            + " sku_id, qty",
        "[LINE,{\"sku_id\":2,\"qty\":1,\"lines\":[]}]|lines[1].lines|Expected only the fields"
            + " sku_id, qty",
        "[LINE,LINE]|lines[1].sku_id|Expected each SKU once, but 1 comes twice",
        "[LINE,{\"sku_id\":2,\"qty\":1},{\"sku_id\":1,\"qty\":2}]|lines[2].sku_id|1 comes twice",
        "[LINE,LINE],\"lines\":[LINE,LINE]|lines|comes twice",
        "[LINE,{\"sku_id\":2,\"qty\":1}],\"sku_id\":3|sku_id|Expected either lines or sku_id and"
            + " qty",
        "[LINE,{\"sku_id\":2,\"qty\":1}],\"qty\":3|qty|Expected either lines or sku_id and qty",
        "[LINE,{\"sku_id\":2,\"qty\":1}],\"sku_id\":3,\"qty\":3|sku_id|Expected either lines or",
        "[LINE,{\"sku_id\":2,\"qty\":1}],\"user_id\":\"eve\"|user_id|Expected only the fields"
            + " sku_id, qty",
        "[LINE,{\"sku_id\":2,\"qty\":1}],\"reference\":\"\"|reference|visible ASCII characters",
        "[LINE,{\"sku_id\":2,\"qty\":1}|body|malformed",
        "[LINE,{\"sku_id\":2|lines[1].qty|missing",
        "[LINE,,LINE]|body|malformed",
      })
  void shouldNameTheLineAndTheFieldWhenOneIsWrong(String lines, String field, String detail) {
    // given
    String body = "{\"lines\":" + lines.replace("LINE", LINE) + "}";

    // when
    BadInputException fault = catchThrowableOfType(BadInputException.class, () -> read(body));

    // then
    assertThat(fault.field()).isEqualTo(field);
    assertThat(fault).hasMessageStartingWith("Expected ");
    assertThat(fault).hasMessageContaining(detail);
  }

  /** What a client sends for none that openapi-generator has made of the contract. */
  @Test
  void shouldTakeAnEmptyListOfLinesForNone() {
    // when
    PlaceOrderBody order = read("{\"sku_id\":7,\"qty\":2,\"lines\":[]}");

    // then
    assertThat(order).isEqualTo(new PlaceOrderBody(null, List.of(new Line(7, 2))));
  }

  @Test
  void shouldRefuseALineMoreThanACartMayHave() {
    // when
    BadInputException fault =
        catchThrowableOfType(BadInputException.class, () -> read(lines(Limits.CART_LINES_MAX + 1)));

    // then
    assertThat(fault.field()).isEqualTo("lines");
    assertThat(fault).hasMessage("Expected at most 20 objects, but got more");
  }

  /** 16 KiB, the longest body, have room for hundreds of lines: the first too many ends it. */
  @Test
  void shouldReadNoFurtherThanALineTooMany() {
    // given
    String tooMany = lines(Limits.CART_LINES_MAX + 1);
    String body = tooMany.substring(0, tooMany.length() - 2) + ",nonsense";

    // when
    BadInputException fault = catchThrowableOfType(BadInputException.class, () -> read(body));

    // then
    assertThat(fault).hasMessage("Expected at most 20 objects, but got more");
  }
}
