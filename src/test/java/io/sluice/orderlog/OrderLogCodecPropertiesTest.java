package io.sluice.orderlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.Cart;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Limits;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.sluice.orderlog.OrderLogCodec.Decoded;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Properties of every record, valid or not. */
class OrderLogCodecPropertiesTest {
  @Test
  void shouldReadWhatItWroteWhenCommandsAreValid() {
    Random random = new Random(1);
    for (int i = 0; i < 2_000; i++) {
      // given
      List<Command> commands = Commands.random(random, random.nextInt(8));

      // when
      Decoded read = OrderLogCodec.decode(OrderLogCodec.encode(commands));

      // then
      assertThat(read).isEqualTo(new Decoded(true, commands));
    }
  }

  @Test
  void shouldBeMalformedWhenCutAtAnyByte() {
    // given
    List<Command> commands = new ArrayList<>(Commands.random(new Random(2), 5));
    commands.add(Commands.reserveCart("alice", 2));
    commands.add(Commands.reserveCart("bob", 20));
    byte[] whole = OrderLogCodec.encode(commands);
    for (int length = 0; length < whole.length; length++) {
      // when
      Decoded read = OrderLogCodec.decode(Arrays.copyOf(whole, length));

      // then
      assertThat(read.supported()).isTrue();
      assertThat(read.commands()).hasOnlyElementsOfType(Command.Malformed.class).hasSize(1);
    }
  }

  @Test
  void shouldNeverThrowNorLeaveTheRangesWhenBytesAreGarbled() {
    Random random = new Random(3);
    for (int i = 0; i < 15_000; i++) {
      // given
      byte[] bytes = OrderLogCodec.encode(Commands.random(random, 1 + random.nextInt(3)));
      for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }

      // when
      Decoded read = OrderLogCodec.decode(bytes);

      // then
      read.commands().forEach(OrderLogCodecPropertiesTest::assertInRange);
    }
  }

  @Test
  void shouldBeMalformedWhenBytesAreRandom() {
    Random random = new Random(4);
    for (int i = 0; i < 50_000; i++) {
      // given
      byte[] bytes = new byte[random.nextInt(40)];
      random.nextBytes(bytes);

      // when
      Decoded read = OrderLogCodec.decode(bytes);

      // then
      assertThat(read.commands()).hasOnlyElementsOfType(Command.Malformed.class).hasSize(1);
    }
  }

  private static void assertInRange(Command command) {
    if (command instanceof Command.Reserve reserve) {
      reserve.grant().lines().forEach(OrderLogCodecPropertiesTest::assertInRange);
      assertIsCart(reserve.grant());
    } else if (command instanceof Command.Cancel cancel) {
      assertThat(cancel.reason()).isIn(Reason.BUYER, Reason.TIMEOUT, Reason.OPERATOR);
    } else if (command instanceof Command.Malformed malformed) {
      assertThat(malformed.raw().length()).isLessThanOrEqualTo(OrderLogCodec.RAW_MAX);
    }
  }

  private static void assertInRange(Grant grant) {
    assertThat(grant.qty()).isBetween(1, Limits.QTY_MAX);
    assertThat(grant.seq()).isPositive();
    assertThat(grant.epoch()).isPositive();
    assertThat(grant.saleNo()).isNotNegative();
    assertThat(Limits.isUserId(grant.userId())).isTrue();
    assertThat(OrderToken.parse(grant.token().value())).contains(grant.token());
    assertThat(grant.grantedAtMs()).isBetween(1L, OrderLogCodec.TIME_MS_MAX);
    assertThat(grant.payBeforeMs() - grant.grantedAtMs())
        .isBetween(0L, Limits.PAYMENT_WINDOW_S_MAX * 1_000L);
  }

  /** If it is one: its first line is that of the order's token, and has what the grant has. */
  private static void assertIsCart(Grant grant) {
    Cart cart = grant.cart();
    if (cart != null) {
      assertThat(Cart.parse(cart.text())).contains(cart);
      assertThat(cart.lead())
          .isEqualTo(
              new Cart.Line(
                  grant.token().bucketId(),
                  grant.qty(),
                  grant.epoch(),
                  grant.seq(),
                  grant.saleNo()));
    }
  }
}
