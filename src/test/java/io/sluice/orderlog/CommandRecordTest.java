package io.sluice.orderlog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.Command;
import io.sluice.model.Command.RefundPart.Step;
import io.sluice.model.OrderToken;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Payments with a name, extensions and refunds in parts as records. */
class CommandRecordTest {
  private static final String TEXT = "7.0.AAAAAAAAAAAAAAAAAAAAAA";
  private static final OrderToken TOKEN = OrderToken.parse(TEXT).orElseThrow();

  static Stream<Command> commands() {
    return Stream.of(
        new Command.Confirm(TOKEN, "p"),
        new Command.Confirm(TOKEN, "pay|1\"\\" + "x".repeat(120)),
        new Command.Extend(TOKEN, 1),
        new Command.Extend(TOKEN, 86_400),
        new Command.RefundPart(TOKEN, "r:1_.-", 1_000, Step.REQUEST),
        new Command.RefundPart(TOKEN, "r".repeat(48), 0, Step.COMPLETE),
        new Command.RefundPart(TOKEN, "r", 0, Step.REJECT));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void shouldReadWhatItWrites(Command command) {
    // when
    byte[] record = OrderLogCodec.encode(List.of(new Command.Confirm(TOKEN), command));

    // then
    assertThat(new String(record, UTF_8)).startsWith("{\"v\":5,");
    assertThat(OrderLogCodec.decode(record).commands())
        .containsExactly(new Command.Confirm(TOKEN), command);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"CONFIRM\",\"payment_ref\":\"\"|payment_ref",
        "\"CONFIRM\",\"payment_ref\":\"a b\"|payment_ref",
        "\"EXTEND\"|seconds",
        "\"EXTEND\",\"seconds\":0|seconds",
        "\"EXTEND\",\"seconds\":86401|seconds",
        "\"EXTEND\",\"seconds\":\"1\"|seconds",
        "\"REFUND_PART\",\"refund_id\":\"r\",\"qty\":1|step",
        "\"REFUND_PART\",\"step\":\"UNDO\",\"refund_id\":\"r\",\"qty\":1|step",
        "\"REFUND_PART\",\"step\":\"REQUEST\",\"qty\":1|refund_id",
        "\"REFUND_PART\",\"step\":\"REQUEST\",\"refund_id\":\"a b\",\"qty\":1|refund_id",
        "\"REFUND_PART\",\"step\":\"REQUEST\",\"refund_id\":\"r\",\"qty\":0|qty",
        "\"REFUND_PART\",\"step\":\"REQUEST\",\"refund_id\":\"r\",\"qty\":1001|qty",
        "\"REFUND_PART\",\"step\":\"REQUEST\",\"refund_id\":\"r\"|qty",
      })
  void shouldBeMalformedWhenAValueIsOutOfRange(String fields, String field) {
    // given
    String record =
        "{\"v\":5,\"commands\":[{\"order_token\":\"" + TEXT + "\",\"type\":" + fields + "}]}";

    // when
    Command read = OrderLogCodec.decode(record.getBytes(UTF_8)).commands().get(0);

    // then
    assertThat(read)
        .isInstanceOfSatisfying(
            Command.Malformed.class,
            malformed -> assertThat(malformed.why()).startsWith("Expected " + field + " to be "));
  }
}
