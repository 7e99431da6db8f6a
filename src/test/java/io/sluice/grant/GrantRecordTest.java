package io.sluice.grant;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.model.Cart;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.Limits;
import io.sluice.model.OrderToken;
import io.sluice.orderlog.OrderLogCodec;
import io.sluice.stock.StockStore;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The grants of one reply of Redis are appended together, in one record. */
class GrantRecordTest {
  /** Far below the limit of the brokers, and what an owner fetches of a partition at once. */
  private static final int RECORD_BYTES_MAX = 256 * 1024;

  @Test
  void shouldFitWhenAReplyHasAsManyOrdersAsItMayHave() {
    assertThat(bytesOf(Collections.nCopies(GrantBatcher.BATCH_MAX, widest(1))))
        .isLessThanOrEqualTo(RECORD_BYTES_MAX);
  }

  @Test
  void shouldFitWhenAReplyHasAsManyCartsAsItMayHave() {
    // given
    int lines = StockStore.CART_BUCKETS_MAX / StockStore.CARTS_MAX;

    // when then
    assertThat(bytesOf(Collections.nCopies(StockStore.CARTS_MAX, widest(lines))))
        .isLessThanOrEqualTo(RECORD_BYTES_MAX);
  }

  private static int bytesOf(List<Command> commands) {
    return OrderLogCodec.encode(commands).length;
  }

  /** An order each of whose fields has as many characters as it can have in the log. */
  private static Command widest(int lines) {
    long max = Long.MAX_VALUE;
    List<Cart.Line> all =
        IntStream.range(0, lines)
            .mapToObj(i -> new BucketId(max - lines + i, Limits.BUCKETS_MAX - 1))
            .map(bucket -> new Cart.Line(bucket, Limits.QTY_MAX, max, max, max))
            .toList();
    BucketId lead = all.get(0).bucket();
    OrderToken token =
        new OrderToken(
            lead.skuId(),
            lead.bucket(),
            "%d.%d.%s".formatted(lead.skuId(), lead.bucket(), "a".repeat(22)));
    String buyer = "\"".repeat(Limits.USER_ID_MAX);
    long timeMs = 253_402_300_799_999L;
    String escaped = "\"".repeat(Limits.REFERENCE_MAX);
    Grant grant =
        lines == 1
            ? Grants.of(token, buyer, Limits.QTY_MAX, max, max, timeMs, timeMs, max, escaped)
            : Grants.ofLead(new Cart(all), token, buyer, timeMs, timeMs, escaped);
    String traceparent = "00-%s-%s-01".formatted("a".repeat(32), "b".repeat(16));
    return new Command.Reserve(grant, "r".repeat(Limits.RUN_LENGTH), traceparent);
  }
}
