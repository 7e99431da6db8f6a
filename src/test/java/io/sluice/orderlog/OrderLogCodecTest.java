package io.sluice.orderlog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.model.Command;
import io.sluice.model.OrderToken;
import io.sluice.orderlog.OrderLogCodec.Decoded;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OrderLogCodecTest {
  static final String TOKEN = "7.3.AAAAAAAAAAAAAAAAAAAAAA";
  private static final String RESERVE =
      ("{\"type\":\"RESERVE\",\"order_token\":\"" + TOKEN + "\",\"sku_id\":7,\"bucket\":3,")
          + "\"qty\":2,\"user_id\":\"alice\",\"seq\":7,\"epoch\":1,\"granted_at\":1000,"
          + "\"pay_before\":301000,\"sale_no\":4,\"run\":\"0a1b2c3d\",\"trace\":\"t1\","
          + "\"reference\":\"cart|7\"}";
  static final String LINES = "7.3.2.1.5.4,8.0.1.3.9.4";
  static final String CART =
      ("{\"type\":\"RESERVE_CART\",\"order_token\":\"" + TOKEN + "\",\"lines\":\"" + LINES + "\",")
          + "\"user_id\":\"alice\",\"granted_at\":1000,\"pay_before\":301000,"
          + "\"run\":\"0a1b2c3d\",\"trace\":\"t1\",\"reference\":\"cart|7\"}";

  @Test
  void shouldWriteTheAgreedFormWhenItIsAReservation() {
    // given
    Command reserve = decodeOne(RESERVE);

    // when
    String written = new String(OrderLogCodec.encode(List.of(reserve)), UTF_8);

    // then
    assertThat(written).isEqualTo(record(RESERVE));
  }

  @Test
  void shouldBeOneRecordWithAllCommandsWhenSomeAreJoined() {
    // given
    List<Command> commands =
        List.of(
            decodeOne(RESERVE), Commands.confirm("ann"), decodeOne(CART), Commands.confirm("b"));

    // when
    byte[] joined =
        OrderLogCodec.join(
            List.of(
                OrderLogCodec.encode(commands.subList(0, 1)),
                OrderLogCodec.encode(commands.subList(1, 3)),
                OrderLogCodec.encode(commands.subList(3, 4))));

    // then
    assertThat(joined).isEqualTo(OrderLogCodec.encode(commands));
  }

  @Test
  void shouldBeMalformedWhenTheRecordHasNoValue() {
    // when
    Decoded read = OrderLogCodec.decode(null);

    // then
    assertThat(read.commands()).hasOnlyElementsOfType(Command.Malformed.class).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "1",
        "{}",
        "{\"v\":1}",
        "{\"commands\":[]}",
        "{\"v\":0,\"commands\":[]}",
        "{\"v\":\"1\",\"commands\":[]}",
        "{\"v\":99999999999,\"commands\":[]}",
        "{\"v\":1,\"v\":2,\"commands\":[]}",
        "{\"v\":1,\"commands\":{}}",
        "{\"v\":1,\"commands\":[],\"commands\":[]}",
        "{\"v\":1,\"commands\":[]}{}",
        "{\"v\":1,\"commands\":[]} x",
        "{\"v\":2,\"commands\":[",
      })
  void shouldBeOneMalformedCommandWhenTheRecordIsNotInForm(String text) {
    // when
    Decoded read = OrderLogCodec.decode(text.getBytes(UTF_8));

    // then
    assertThat(read.supported()).isTrue();
    assertThat(read.commands()).hasSize(1);
    assertThat(read.commands().get(0))
        .isInstanceOfSatisfying(
            Command.Malformed.class,
            malformed -> {
              assertThat(malformed.raw()).isEqualTo(text);
              assertThat(malformed.why()).startsWith("Expected ").contains(", but ");
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"v\":7,\"commands\":[{\"type\":\"RESERVE\"}]}",
        "{\"v\":7,\"parts\":{\"a\":[1,{}]}}",
        "{\"commands\":[17],\"v\":7}",
        "{\"commands\":{\"a\":1},\"v\":7}",
      })
  void shouldBeUnsupportedWhenTheVersionIsHigher(String text) {
    // when
    Decoded read = OrderLogCodec.decode(text.getBytes(UTF_8));

    // then
    String why = "Expected v to be at most 6, but it is 7";
    assertThat(read).isEqualTo(new Decoded(false, List.of(new Command.Malformed(text, why))));
  }

  @Test
  void shouldIgnoreFieldsThatItDoesNotKnow() {
    // given
    String confirm =
        "{\"a\":{\"type\":\"X\"},\"type\":\"CONFIRM\",\"b\":[[1]],\"order_token\":\"%s\",\"qty\":\"?\"}"
            .formatted(TOKEN);
    String text = "{\"x\":[{\"v\":9}],\"commands\":[%s],\"y\":null,\"v\":1}".formatted(confirm);

    // when
    Decoded read = OrderLogCodec.decode(text.getBytes(UTF_8));

    // then
    assertThat(read.commands())
        .containsExactly(new Command.Confirm(OrderToken.parse(TOKEN).orElseThrow()));
  }

  /**
   * @param named the fields that it may be about, of one or of several SKUs
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '>',
      quoteCharacter = '`',
      value = {
        "\"type\":\"RESERVE\"     > \"type\":\"RESERV\"     > type",
        "\"type\":\"RESERVE\"     > \"type\":7               > type",
        "\"type\":\"RESERVE\",    >                          > type",
        "RESERVE_CART             > RESERVE_CARTS            > type",
        "RESERVE_CART             > RESERVE                  > sku_id",
        TOKEN + "                 > 7.3.A                    > order_token",
        TOKEN + "                 > 8.3.AAAAAAAAAAAAAAAAAAAAAA > sku_id/lines",
        "\"sku_id\":7             > \"sku_id\":8             > sku_id",
        "\"sku_id\":7             > \"sku_id\":\"7\"         > sku_id",
        "\"bucket\":3             > \"bucket\":4             > bucket",
        "\"bucket\":3             > \"bucket\":3.0           > bucket",
        "\"qty\":2                > \"qty\":0                > qty",
        "\"qty\":2                > \"qty\":1001             > qty",
        "\"qty\":2                > \"qty\":4294967297       > qty",
        "\"qty\":2,               >                          > qty",
        "\"user_id\":\"alice\",   >                          > user_id",
        "\"alice\"                > \"ali ce\"               > user_id",
        "\"alice\"                > \"\"                     > user_id",
        "\"alice\"                > null                     > user_id",
        "\"sale_no\":4            > \"sale_no\":-1           > sale_no",
        "\"sale_no\":4            > \"sale_no\":\"4\"        > sale_no",
        "\"seq\":7                > \"seq\":0                > seq",
        "\"seq\":7                > \"seq\":9223372036854775808 > seq",
        "\"seq\":7                > \"seq\":7.5              > seq",
        "\"seq\":7                > \"seq\":[7]              > seq",
        "\"epoch\":1              > \"epoch\":-1             > epoch",
        "\"epoch\":1              > \"epoch\":{\"a\":1}      > epoch",
        "\"granted_at\":1000      > \"granted_at\":0         > granted_at",
        "\"granted_at\":1000      > \"granted_at\":253402300800000 > granted_at",
        "\"granted_at\":1000      > \"granted_at\":\"1000\"  > granted_at",
        "\"granted_at\":1000,     >                          > granted_at",
        "\"pay_before\":301000    > \"pay_before\":999       > pay_before",
        "\"pay_before\":301000    > \"pay_before\":2592001001 > pay_before",
        "\"pay_before\":301000    > \"pay_before\":true      > pay_before",
        "\"pay_before\":301000,   >                          > pay_before",
        "\"lines\":\"" + LINES + "\", >                      > lines",
        "\"lines\":\"" + LINES + "\" > \"lines\":7           > lines",
        "\"lines\":\"" + LINES + "\" > \"lines\":[\"" + LINES + "\"] > lines",
        "\"lines\":\"" + LINES + "\" > \"lines\":null        > lines",
      })
  void shouldBeMalformedAloneWhenAFieldIsImpossible(String field, String instead, String named) {
    for (String whole : List.of(RESERVE, CART)) {
      if (whole.contains(field)) {
        assertMalformedAlone(whole, whole.replace(field, instead == null ? "" : instead), named);
      }
    }
  }

  static void assertMalformedAlone(String whole, String broken, String named) {
    // given
    byte[] record = record(whole + "," + broken + "," + whole).getBytes(UTF_8);

    // when
    Decoded read = OrderLogCodec.decode(record);

    // then
    assertThat(broken).isNotEqualTo(whole);
    assertThat(decodeOne(whole)).isInstanceOf(Command.Reserve.class);
    assertThat(read.commands()).hasSize(3).startsWith(decodeOne(whole)).endsWith(decodeOne(whole));
    assertThat(read.commands().get(1))
        .isInstanceOfSatisfying(
            Command.Malformed.class,
            malformed -> {
              assertThat(malformed.raw()).isEqualTo(broken);
              assertThat(malformed.why())
                  .matches("Expected (%s) to be .*".formatted(named.replace('/', '|')));
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"17", "\"x\"", "null", "[1,[2]]"})
  void shouldBeMalformedAloneWhenACommandIsNoObject(String item) {
    // when
    Decoded read = OrderLogCodec.decode(record(item + "," + RESERVE).getBytes(UTF_8));

    // then
    assertThat(read.commands()).hasSize(2);
    assertThat(read.commands().get(1)).isEqualTo(decodeOne(RESERVE));
    assertThat(((Command.Malformed) read.commands().get(0)).raw()).isEqualTo(item);
  }

  @ParameterizedTest
  @ValueSource(strings = {"LEDGER_FULL", "UNPROCESSABLE", "buyer", ""})
  void shouldBeMalformedWhenNobodyCancelsForThatReason(String reason) {
    // given
    String cancel =
        "{\"type\":\"CANCEL\",\"order_token\":\"%s\",\"reason\":\"%s\"}".formatted(TOKEN, reason);

    // when
    Command read = decodeOne(cancel);

    // then
    assertThat(read).isInstanceOf(Command.Malformed.class);
  }

  @Test
  void shouldReadAReservationWithoutAPaymentWindow() {
    // when
    Command read = decodeOne(RESERVE.replace("301000", "1000"));

    // then
    assertThat(((Command.Reserve) read).grant().confirmsOnBooking()).isTrue();
  }

  @Test
  void shouldLeaveOutTheTraceWhenItIsTooLong() {
    // given
    String trace = "x".repeat(OrderLogCodec.TRACE_MAX + 1);

    // when
    Command read = decodeOne(RESERVE.replace("\"t1\"", '"' + trace + '"'));

    // then
    assertThat(((Command.Reserve) read).trace()).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '>',
      quoteCharacter = '`',
      value = {
        "\"run\":\"0a1b2c3d\"     > \"run\":\"0a1b2c3d4\"    > run",
        "\"run\":\"0a1b2c3d\"     > \"run\":\"a b\"          > run",
        "\"run\":\"0a1b2c3d\"     > \"run\":7                > run",
        "\"trace\":\"t1\"         > \"trace\":7              > trace",
        "\"reference\":\"cart|7\" > \"reference\":\"\"       > reference",
        "\"reference\":\"cart|7\" > \"reference\":\"cart 7\" > reference",
        "\"reference\":\"cart|7\" > \"reference\":[\"cart\"] > reference",
      })
  void shouldLeaveOutWhatNothingDependsOnWhenItIsInvalid(
      String valid, String invalid, String leftOut) {
    for (String whole : List.of(RESERVE, CART)) {
      // when
      Command.Reserve read = (Command.Reserve) decodeOne(whole.replace(valid, invalid));

      // then
      Command.Reserve before = (Command.Reserve) decodeOne(whole);
      assertThat(read.grant().units()).isEqualTo(before.grant().units());
      assertThat(read.grant().cart()).isEqualTo(before.grant().cart());
      assertThat(read.run() == null).isEqualTo(leftOut.equals("run"));
      assertThat(read.trace() == null).isEqualTo(leftOut.equals("trace"));
      assertThat(read.grant().reference() == null).isEqualTo(leftOut.equals("reference"));
    }
  }

  @Test
  void shouldCutTheRawTextWhenAMalformedCommandIsLong() {
    // given
    String emoji = "\ud83d\ude00";
    String item = "\"" + emoji.repeat(5_000) + "\"";

    // when
    Command read = decodeOne(item);

    // then
    assertThat(((Command.Malformed) read).raw())
        .hasSizeLessThanOrEqualTo(4_096)
        .hasSizeGreaterThan(4_000)
        .endsWith(emoji);
  }

  @Test
  void shouldRefuseToWriteWhenACommandIsMalformed() {
    // given
    List<Command> commands = List.of(new Command.Malformed("x", "y"));

    // when then
    assertThatThrownBy(() -> OrderLogCodec.encode(commands))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static Command decodeOne(String command) {
    Decoded read = OrderLogCodec.decode(record(command).getBytes(UTF_8));
    assertThat(read.commands()).hasSize(1);
    return read.commands().get(0);
  }

  static String record(String commands) {
    return "{\"v\":5,\"commands\":[" + commands + "]}";
  }
}
