package io.sluice.orderlog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.model.Cart;
import io.sluice.model.Command;
import io.sluice.model.Command.RefundPart.Step;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.OrderToken;
import io.sluice.orderlog.OrderLogCodec.Decoded;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Carts in the log, which are of version 4. */
class CartRecordTest {
  private static final String TEXT = "7.3.AAAAAAAAAAAAAAAAAAAAAA";
  private static final OrderToken TOKEN = OrderToken.parse(TEXT).orElseThrow();
  private static final String LINES = "7.3.2.1.5.4,8.0.1.3.9.4";
  private static final String CART =
      ("{\"type\":\"RESERVE_CART\",\"order_token\":\"" + TEXT + "\",\"lines\":\"" + LINES + "\",")
          + "\"user_id\":\"alice\",\"granted_at\":1000,\"pay_before\":301000,"
          + "\"run\":\"0a1b2c3d\",\"trace\":\"t1\",\"reference\":\"cart|7\"}";
  private static final Command.Confirm CONFIRM = new Command.Confirm(TOKEN);

  @Test
  void shouldWriteTheAgreedForm() {
    // given
    Cart cart =
        new Cart(
            List.of(
                new Cart.Line(new BucketId(7, 3), 2, 1, 5, 4),
                new Cart.Line(new BucketId(8, 0), 1, 3, 9, 4)));
    Command reserve =
        new Command.Reserve(
            Grants.ofLead(cart, TOKEN, "alice", 1_000, 301_000, "cart|7"), "0a1b2c3d", "t1");

    // when
    String written = new String(OrderLogCodec.encode(List.of(reserve)), UTF_8);

    // then
    assertThat(written).isEqualTo(record(CART));
  }

  static Stream<Command> commands() {
    long max = Long.MAX_VALUE;
    Cart widest =
        new Cart(
            IntStream.range(0, 20)
                .mapToObj(i -> new Cart.Line(new BucketId(max - 19 + i, 255), 1_000, max, max, max))
                .toList());
    OrderToken lead = TOKEN.in(widest.lead().bucket());
    return Stream.of(
        Commands.reserveCart("alice", 2),
        Commands.reserveCart("alice", 20),
        reserve(2, "cart|7", null, null),
        reserve(20, "r\"\\" + "x".repeat(61), null, null),
        reserve(2, null, "0a1b2c3d", null),
        reserve(20, "cart|7", "0", "t\"\u00e91"),
        new Command.Reserve(
            Grants.ofLead(
                widest,
                lead,
                "b".repeat(64),
                OrderLogCodec.TIME_MS_MAX,
                OrderLogCodec.TIME_MS_MAX,
                null),
            null),
        new Command.RefundPart(TOKEN, "r1", 1, Step.REQUEST, 8));
  }

  private static Command reserve(int lines, String reference, String run, String trace) {
    Grant grant = ((Command.Reserve) Commands.reserveCart("bob", lines)).grant();
    return new Command.Reserve(
        Grants.ofLead(grant.cart(), grant.token(), "bob", 1_000, 1_000, reference), run, trace);
  }

  @ParameterizedTest
  @MethodSource("commands")
  void shouldReadWhatItWrites(Command command) {
    // when
    byte[] record = OrderLogCodec.encode(List.of(CONFIRM, command, CONFIRM));

    // then
    assertThat(new String(record, UTF_8)).startsWith("{\"v\":5,");
    assertThat(OrderLogCodec.decode(record))
        .isEqualTo(new Decoded(true, List.of(CONFIRM, command, CONFIRM)));
  }

  static Stream<String> linesOfNoCart() {
    return Stream.of(
        "",
        "7.3.2.1.5.4",
        ofSkus(1, 21),
        ofSkus(1, 22),
        "7.3.2.1.5.4,7.3.2.1.5.4",
        "7.3.2.1.5.4,7.4.2.1.5.4",
        "7.3.2.1.5.4,8.0.1.3.9.4,8.0.1.3.9.4",
        "8.0.1.3.9.4,7.3.2.1.5.4",
        "7.3.2.1.5.4,9.0.1.3.9.4,8.0.1.3.9.4",
        "7.3.0.1.5.4,8.0.1.3.9.4",
        "7.3.2.1.5.4,8.0.0.3.9.4",
        "7.3.2.1.5.4,8.0.1001.3.9.4",
        "7.3.2.1.5.4,8.0.9223372036854775809.3.9.4",
        "7.3.2.1.5.4,8.256.1.3.9.4",
        "7.3.2.1.5.4,8.9223372036854775808.1.3.9.4",
        "7.3.2.1.5.4,8.0.1.0.9.4",
        "7.3.2.1.5.4,8.0.1.3.0.4",
        "7.3.2.1.5.4,8.0.1.3.9",
        "7.3.2.1.5.4,8.0.1.3.9.4.0",
        "7.3.2.1.5.4,8.0.1.3.9.4,",
        "7.3.2.1.5.4, 8.0.1.3.9.4",
        "7.3.2.1.5.4,8.0.1.3.9.4\\\"");
  }

  /** The lines of another order: its lead is in another bucket than the token. */
  static Stream<String> linesOfAnotherOrder() {
    return Stream.of(
        "7.4.2.1.5.4,8.0.1.3.9.4",
        "6.3.2.1.5.4,8.0.1.3.9.4",
        "6.0.1.3.9.4,7.3.2.1.5.4",
        "8.0.1.3.9.4,9.0.1.3.9.4",
        ofSkus(8, 20));
  }

  private static String ofSkus(int first, int lines) {
    return IntStream.range(first, first + lines)
        .mapToObj(skuId -> skuId + ".3.1.1.1.0")
        .collect(Collectors.joining(","));
  }

  @ParameterizedTest
  @MethodSource({"linesOfNoCart", "linesOfAnotherOrder"})
  void shouldBeMalformedAloneWhenTheLinesAreNotThoseOfACartOfThisOrder(String lines) {
    assertMalformedAlone(CART.replace(LINES, lines), "lines");
  }

  /** Where the token is that of the lead, the same lines are a cart. */
  @Test
  void shouldReadAsManyLinesAsACartMayHave() {
    // given
    String cart = CART.replace(LINES, ofSkus(7, 20));

    // when
    Decoded read = OrderLogCodec.decode(record(cart).getBytes(UTF_8));

    // then
    assertThat(((Command.Reserve) read.commands().get(0)).tokens()).hasSize(20);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '>',
      quoteCharacter = '`',
      value = {
        "\"lines\":\"" + LINES + "\",    >                         > lines",
        "\"lines\":\"" + LINES + "\"     > \"lines\":7             > lines",
        "\"lines\":\"" + LINES + "\"     > \"lines\":[\"" + LINES + "\"] > lines",
        "\"lines\":\"" + LINES + "\"     > \"lines\":null          > lines",
        TEXT + "                         > 7.3.A                   > order_token",
        "RESERVE_CART                    > RESERVE_CARTS           > type",
        "RESERVE_CART                    > RESERVE                 > sku_id",
        "\"user_id\":\"alice\",          >                         > user_id",
        "\"alice\"                       > \"ali ce\"              > user_id",
        "\"alice\"                       > \"\"                    > user_id",
        "\"granted_at\":1000             > \"granted_at\":0        > granted_at",
        "\"granted_at\":1000             > \"granted_at\":253402300800000 > granted_at",
        "\"granted_at\":1000             > \"granted_at\":\"1000\" > granted_at",
        "\"granted_at\":1000,            >                         > granted_at",
        "\"pay_before\":301000           > \"pay_before\":999      > pay_before",
        "\"pay_before\":301000           > \"pay_before\":2592001001 > pay_before",
        "\"pay_before\":301000,          >                         > pay_before",
      })
  void shouldBeMalformedAloneWhenAFieldIsImpossible(String field, String instead, String named) {
    assertMalformedAlone(CART.replace(field, instead == null ? "" : instead), named);
  }

  private static void assertMalformedAlone(String broken, String field) {
    // given
    byte[] record = record(CART + "," + broken + "," + CART).getBytes(UTF_8);
    Command whole = OrderLogCodec.decode(record(CART).getBytes(UTF_8)).commands().get(0);

    // when
    Decoded read = OrderLogCodec.decode(record);

    // then
    assertThat(broken).isNotEqualTo(CART);
    assertThat(whole).isInstanceOf(Command.Reserve.class);
    assertThat(read.commands()).hasSize(3).startsWith(whole).endsWith(whole);
    assertThat(read.commands().get(1))
        .isInstanceOfSatisfying(
            Command.Malformed.class,
            malformed -> {
              assertThat(malformed.raw()).isEqualTo(broken);
              assertThat(malformed.why()).startsWith("Expected " + field + " to be ");
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '>',
      quoteCharacter = '`',
      value = {
        "\"run\":\"0a1b2c3d\"     > \"run\":\"a b\"          > true  > false > false",
        "\"trace\":\"t1\"         > \"trace\":7              > false > true  > false",
        "\"reference\":\"cart|7\" > \"reference\":\"cart 7\" > false > false > true",
        "\"reference\":\"cart|7\" > \"reference\":\"\"       > false > false > true",
      })
  void shouldLeaveOutWhatNothingDependsOnWhenItIsInvalid(
      String valid, String invalid, boolean noRun, boolean noTrace, boolean noReference) {
    // given
    byte[] record = record(CART.replace(valid, invalid)).getBytes(UTF_8);

    // when
    Command.Reserve read = (Command.Reserve) OrderLogCodec.decode(record).commands().get(0);

    // then
    assertThat(read.grant().cart().text()).isEqualTo(LINES);
    assertThat(read.run() == null).isEqualTo(noRun);
    assertThat(read.trace() == null).isEqualTo(noTrace);
    assertThat(read.grant().reference() == null).isEqualTo(noReference);
  }

  @Test
  void shouldBeMalformedWhenCutAtAnyByte() {
    // given
    byte[] whole =
        OrderLogCodec.encode(
            List.of(Commands.reserveCart("alice", 2), Commands.reserveCart("bob", 20)));
    for (int length = 0; length < whole.length; length++) {
      // when
      byte[] cut = Arrays.copyOf(whole, length);

      // then
      assertThat(OrderLogCodec.decode(cut).commands())
          .hasOnlyElementsOfType(Command.Malformed.class)
          .hasSize(1);
    }
  }

  private static String record(String commands) {
    return "{\"v\":5,\"commands\":[" + commands + "]}";
  }
}
