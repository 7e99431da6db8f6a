package io.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.grant.OrderWish;
import io.sluice.http.OrderBodies.PlaceOrderBody;
import io.sluice.model.Limits;
import io.sluice.web.Problem.BadInputException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.nio.charset.Charset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a body may contain, and how an invalid field is reported. */
class PlaceOrderBodyTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"sku_id\":1001,\"qty\":1}|1001|1",
        " { \"qty\" : 1000 , \"sku_id\" : 9223372036854775807 } |9223372036854775807|1000",
        "{\"sku\\u005fid\":1,\"qty\":1}|1|1",
      })
  void shouldReadTheOrderWhenTheBodyIsRight(String body, long skuId, int qty) {
    // when
    PlaceOrderBody order = PlaceOrderBody.read(Buffer.buffer(body));

    // then
    assertThat(order).isEqualTo(new PlaceOrderBody(null, List.of(new OrderWish.Line(skuId, qty))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"r", "cart|7~'!", "cart-7/\\\"x\\\\"})
  void shouldReadTheReferenceWhenThereIsOne(String written) {
    // given
    String longest = written + "x".repeat(Limits.REFERENCE_MAX - unescaped(written).length());
    String body = "{\"sku_id\":1,\"qty\":1,\"reference\":\"%s\"}";

    // when
    PlaceOrderBody order = PlaceOrderBody.read(Buffer.buffer(body.formatted(written)));
    PlaceOrderBody longOrder = PlaceOrderBody.read(Buffer.buffer(body.formatted(longest)));

    // then
    assertThat(order.reference()).isEqualTo(unescaped(written));
    assertThat(longOrder.reference()).isEqualTo(unescaped(longest));
  }

  private static String unescaped(String json) {
    return new JsonObject("{\"text\":\"" + json + "\"}").getString("text");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      nullValues = "EMPTY",
      value = {
        "EMPTY|body|got nothing",
        "null|body|got null",
        "1|body|got 1",
        "true|body|got true",
        "[]|body|got an array",
        "\"x\"|body|got text",
        "{|body|malformed",
        "{\"sku_id\"|sku_id|malformed",
        "{\"sku_id\":|sku_id|malformed",
        "{\"sku_id\":1,}|sku_id|malformed",
        "{\"sku_id\":1 \"qty\":1}|sku_id|malformed",
        "{'sku_id':1,'qty':1}|body|malformed",
        "{sku_id:1}|body|malformed",
        "{\"sku_id\":01,\"qty\":1}|sku_id|malformed",
        "{\"sku_id\":NaN,\"qty\":1}|sku_id|malformed",
        "{\"sku_id\":1,\"qty\":1}}|body|malformed",
        "{\"sku_id\":1,\"qty\":1}{}|body|there is an object",
        "{\"sku_id\":1,\"qty\":1} 7|body|there is 7",
        "{}|sku_id|missing",
        "{\"qty\":1}|sku_id|missing",
        "{\"sku_id\":1}|qty|missing",
        "{\"sku_id\":null,\"qty\":1}|sku_id|Expected a whole number in 1..9223372036854775807, but"
            + " got null",
        "{\"sku_id\":\"1001\",\"qty\":1}|sku_id|but got text",
        "{\"sku_id\":true,\"qty\":1}|sku_id|but got true",
        "{\"sku_id\":[1],\"qty\":1}|sku_id|but got an array",
        "{\"sku_id\":{},\"qty\":1}|sku_id|but got an object",
        "{\"sku_id\":0,\"qty\":1}|sku_id|but got 0",
        "{\"sku_id\":-1,\"qty\":1}|sku_id|but got -1",
        "{\"sku_id\":9223372036854775808,\"qty\":1}|sku_id|but got 9223372036854775808",
        "{\"sku_id\":1.0,\"qty\":1}|sku_id|but got 1.0",
        "{\"sku_id\":1e3,\"qty\":1}|sku_id|but got 1e3",
        "{\"sku_id\":1e400,\"qty\":1}|sku_id|but got 1e400",
        "{\"sku_id\":1,\"qty\":1,\"reference\":\"\\n\"}|reference|but got another text",
        "{\"sku_id\":1,\"qty\":0}|qty|Expected a whole number in 1..1000, but got 0",
        "{\"sku_id\":1,\"qty\":-5}|qty|but got -5",
        "{\"sku_id\":1,\"qty\":1001}|qty|but got 1001",
        "{\"sku_id\":1,\"qty\":1.5}|qty|but got 1.5",
        "{\"sku_id\":1,\"qty\":4294967297}|qty|but got 4294967297",
        "{\"sku_id\":1,\"qty\":\"1\"}|qty|but got text",
        "{\"sku_id\":1,\"qty\":1,\"qty\":2}|qty|comes twice",
        "{\"sku_id\":1,\"qty\":1,\"reference\":\"\"}|reference|Expected 1 to 64 visible ASCII"
            + " characters",
        "{\"sku_id\":1,\"qty\":1,\"reference\":\"a b\"}|reference|but got another text",
        "{\"sku_id\":1,\"qty\":1,\"reference\":\"\\u00e9\"}|reference|but got another text",
        "{\"sku_id\":1,\"qty\":1,\"reference\":7}|reference|but got 7",
        "{\"sku_id\":1,\"qty\":1,\"reference\":null}|reference|but got null",
        "{\"reference\":\"r\",\"sku_id\":1,\"qty\":1,\"reference\":\"r\"}|reference|comes twice",
        "{\"reference\":\"r\",\"sku_id\":1}|qty|missing",
        "{\"sku_id\":1,\"qty\":1,\"user_id\":\"mallory\"}|user_id|Expected only the fields",
        "{\"SKU_ID\":1,\"qty\":1}|SKU_ID|Expected only the fields",
        "{\"\":1}|body|Expected only the fields",
        "{\" \":1}|body|Expected only the fields",
        "{\"sku_id\":1,\"\"qty\":1}|body|malformed",
      })
  void shouldNameTheFieldWhenTheBodyIsWrong(String body, String field, String detail) {
    // given
    Buffer bytes = Buffer.buffer(body == null ? "" : body);

    // when
    BadInputException fault = fault(bytes);

    // then
    assertThat(fault.field()).isEqualTo(field);
    assertThat(fault).hasMessageContaining(detail).hasMessageStartingWith("Expected ");
  }

  private static BadInputException fault(Buffer body) {
    return catchThrowableOfType(BadInputException.class, () -> PlaceOrderBody.read(body));
  }

  @Test
  void shouldRefuseAReferenceWhenItIsTooLong() {
    // given
    String reference = "x".repeat(Limits.REFERENCE_MAX + 1);
    Buffer body = Buffer.buffer("{\"sku_id\":1,\"qty\":1,\"reference\":\"" + reference + "\"}");

    // when
    BadInputException fault = fault(body);

    // then
    assertThat(fault.field()).isEqualTo("reference");
  }

  @Test
  void shouldNameTheFieldWhenItsNumberHasThousandsOfDigits() {
    // given
    Buffer body = Buffer.buffer("{\"sku_id\":" + "9".repeat(5_000) + ",\"qty\":1}");

    // when
    BadInputException fault = fault(body);

    // then
    assertThat(fault.field()).isEqualTo("sku_id");
    assertThat(fault.getMessage().length()).isLessThan(200);
  }

  @Test
  void shouldRefuseAtOnceWhenItIsNestedDeeply() {
    // given
    Buffer body = Buffer.buffer("{\"sku_id\":" + "[".repeat(8_000) + "]".repeat(8_000) + "}");

    // when
    BadInputException fault = fault(body);

    // then
    assertThat(fault.field()).isEqualTo("sku_id");
    assertThat(fault).hasMessageContaining("an array");
  }

  @Test
  void shouldRefuseWhenItIsNotUtf8() {
    // given
    Buffer body = Buffer.buffer("{\"sku_id\":1,\"").appendByte((byte) 0xff).appendString("\":1}");

    // when
    BadInputException fault = fault(body);

    // then
    assertThat(fault).hasMessageContaining("malformed");
  }

  @Test
  void shouldStayValidJsonWhenTheFieldNameIsHostile() {
    // given
    String name = "\\\"\\n\\u0000" + "x".repeat(50);
    Buffer body = Buffer.buffer("{\"" + name + "\":1}");

    // when
    BadInputException fault = fault(body);

    // then
    assertThat(new JsonObject().put("detail", fault.getMessage()).encode().length())
        .isLessThan(300);
    assertThat(fault.field()).startsWith("\"\n\u0000x");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{\"X\":1}", "{\"sku_id\":1,\"reference\":\"X\"}", "{\"sku_id\":1,\"qty\":X}"})
  void shouldNameTheLimitWhenANameATextOrANumberIsLong(String body) {
    // given
    Buffer large = Buffer.buffer(body.replace("X", "7".repeat(5_000)));

    // when
    BadInputException fault = fault(large);

    // then
    assertThat(fault)
        .hasMessage(
            "Expected names of at most 64 characters, text of 1024, numbers of 40 and 4 levels, but"
                + " got more");
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16LE", "UTF-16BE", "UTF-16", "UTF-32"})
  void shouldRefuseOtherEncodingsWhenTheyCouldBeGuessed(String encoding) {
    // given
    Buffer body = Buffer.buffer("{\"sku_id\":7,\"qty\":1}".getBytes(Charset.forName(encoding)));

    // when
    BadInputException fault = fault(body);

    // then
    assertThat(fault).hasMessageContaining("Expected JSON in UTF-8");
  }
}
