package io.sluice.orderlog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.model.Cart;
import io.sluice.model.Command;
import io.sluice.model.Command.RefundPart.Step;
import io.sluice.model.Grants;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * The bytes of records, as instances of 1.0 write them and read them. A change of them is a change
 * of the protocol: it needs a version of its own, and a level.
 */
class GoldenRecordTest {
  private static final OrderToken TOKEN =
      OrderToken.parse("7.0.AAAAAAAAAAAAAAAAAAAAAA").orElseThrow();
  private static final Cart CART =
      new Cart(
          List.of(
              new Cart.Line(new BucketId(7, 0), 2, 3, 5, 4),
              new Cart.Line(new BucketId(9, 1), 1, 1, 8, 0)));

  static final List<Arguments> RECORDS =
      List.of(
          record(
              new Command.Reserve(Grants.of(TOKEN, "alice", 2, 5, 3, 1_000, 2_000), null),
              "'type':'RESERVE',TOKEN,'sku_id':7,'bucket':0,'qty':2,'user_id':'alice',"
                  + "'seq':5,'epoch':3,'granted_at':1000,'pay_before':2000"),
          record(
              new Command.Reserve(
                  Grants.of(TOKEN, "auth0|carol", 1, 7, 3, 1_000, 1_000, 4, "cart|7"),
                  "0a1b2c3d",
                  "t\"\u00e9"),
              "'type':'RESERVE',TOKEN,'sku_id':7,'bucket':0,'qty':1,'user_id':'auth0|carol',"
                  + "'seq':7,'epoch':3,'granted_at':1000,'pay_before':1000,'sale_no':4,"
                  + "'run':'0a1b2c3d','trace':'t\\'\u00e9','reference':'cart|7'"),
          record(
              new Command.Reserve(
                  Grants.ofLead(CART, TOKEN, "alice", 1_000, 2_000, "r-1"), "0a1b2c3d", null),
              "'type':'RESERVE_CART',TOKEN,'lines':'7.0.2.3.5.4,9.1.1.1.8.0',"
                  + "'user_id':'alice','granted_at':1000,'pay_before':2000,'run':'0a1b2c3d',"
                  + "'reference':'r-1'"),
          record(new Command.Confirm(TOKEN), "'type':'CONFIRM',TOKEN"),
          record(
              new Command.Confirm(TOKEN, "pay|1"), "'type':'CONFIRM',TOKEN,'payment_ref':'pay|1'"),
          record(new Command.Cancel(TOKEN, Reason.BUYER), "'type':'CANCEL',TOKEN,'reason':'BUYER'"),
          record(new Command.Extend(TOKEN, 60), "'type':'EXTEND',TOKEN,'seconds':60"),
          record(new Command.Refund(TOKEN), "'type':'REFUND',TOKEN"),
          record(
              new Command.RefundPart(TOKEN, "r-1", 2, Step.REQUEST),
              "'type':'REFUND_PART',TOKEN,'step':'REQUEST','refund_id':'r-1','qty':2"),
          record(
              new Command.RefundPart(TOKEN, "r-1", 2, Step.REQUEST, 9),
              "'type':'REFUND_PART',TOKEN,'step':'REQUEST','refund_id':'r-1','qty':2,"
                  + "'sku_id':9"),
          record(
              new Command.RefundPart(TOKEN, "r-1", 0, Step.COMPLETE),
              "'type':'REFUND_PART',TOKEN,'step':'COMPLETE','refund_id':'r-1','qty':0"));

  /** What an owner of 1.0 must not take for a refund whose units are sold again. */
  static final List<Arguments> LATER_RECORDS =
      List.of(
          later(new Command.Refund(TOKEN, false), "'type':'REFUND',TOKEN,'restock':0"),
          later(
              new Command.RefundPart(TOKEN, "r-1", 0, Step.COMPLETE, 0, false),
              "'type':'REFUND_PART',TOKEN,'step':'COMPLETE','refund_id':'r-1','qty':0,"
                  + "'restock':0"));

  private static Arguments later(Command command, String fields) {
    Object[] of1 = record(command, fields).get();
    return Arguments.of(command, of1[1].toString().replace("{\"v\":5", "{\"v\":6"));
  }

  @ParameterizedTest
  @FieldSource("LATER_RECORDS")
  void shouldWriteAHigherVersionWhenUnitsLeaveTheStock(Command command, String bytes) {
    assertThat(new String(OrderLogCodec.encode(List.of(command)), UTF_8)).isEqualTo(bytes);
    assertThat(OrderLogCodec.decode(bytes.getBytes(UTF_8)).commands()).containsExactly(command);
  }

  /** Records that are sent as one have the highest version of them. */
  @Test
  void shouldJoinRecordsOfBothVersions() {
    Command plain = new Command.Refund(TOKEN);
    Command later = new Command.Refund(TOKEN, false);
    for (List<Command> commands : List.of(List.of(plain, later), List.of(later, plain))) {
      byte[] joined =
          OrderLogCodec.join(
              commands.stream().map(one -> OrderLogCodec.encode(List.of(one))).toList());

      assertThat(joined).isEqualTo(OrderLogCodec.encode(commands));
      assertThat(OrderLogCodec.decode(joined).commands()).isEqualTo(commands);
    }
  }

  private static Arguments record(Command command, String fields) {
    String named = fields.replace("TOKEN", "'order_token':'" + TOKEN + "'");
    return Arguments.of(command, ("{'v':5,'commands':[{" + named + "}]}").replace('\'', '"'));
  }

  @ParameterizedTest
  @FieldSource("RECORDS")
  void shouldWriteAndReadTheBytesOf1(Command command, String bytes) {
    assertThat(new String(OrderLogCodec.encode(List.of(command)), UTF_8)).isEqualTo(bytes);
    assertThat(OrderLogCodec.decode(bytes.getBytes(UTF_8)).commands()).containsExactly(command);
  }

  @Test
  void shouldWriteAThousandRecordsAs1Does() throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    Random random = new Random(20_261_128);

    for (int i = 0; i < 1_000; i++) {
      digest.update(OrderLogCodec.encode(Commands.random(random, 1 + i % 4)));
    }

    assertThat(HexFormat.of().formatHex(digest.digest()))
        .isEqualTo("7951c3389a99601bc0b99381c580bad70f09364062aa12624b3ea0bb677c9462");
  }
}
