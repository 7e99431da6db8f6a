package io.sluice.orderlog;

import static io.sluice.orderlog.OrderLogCodecTest.CART;
import static io.sluice.orderlog.OrderLogCodecTest.LINES;
import static io.sluice.orderlog.OrderLogCodecTest.record;
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
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Orders of several SKUs in the log. */
class CartRecordTest {
  private static final OrderToken TOKEN = OrderToken.parse(OrderLogCodecTest.TOKEN).orElseThrow();
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
    OrderLogCodecTest.assertMalformedAlone(CART, CART.replace(LINES, lines), "lines");
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
}
