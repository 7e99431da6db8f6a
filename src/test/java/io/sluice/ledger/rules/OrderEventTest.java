package io.sluice.ledger.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.rules.OrderEvent.OrderNotice;
import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.Order;
import io.sluice.model.OrderNotes;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderTokens;
import io.sluice.model.Reason;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What one instance writes, others read, whatever else is in it. */
class OrderEventTest {
  private static final Order PENDING = order("alice", OrderStatus.PENDING, null);

  @Test
  void shouldReadTheSameWhenFieldsAreSpacedOrUnknown() {
    // given
    String written = OrderEvent.write(new OrderNotice(EventType.ORDER_BOOKED, PENDING, null), 99);
    String spaced = new JsonObject(written).encodePrettily();
    String newer = written.replace("}", ",\"later\":3}");

    // when
    Optional<Order> read = OrderEvent.read(written);

    // then
    assertThat(read).contains(PENDING);
    assertThat(OrderEvent.read(spaced)).contains(PENDING);
    assertThat(OrderEvent.read(newer)).contains(PENDING);
  }

  @Test
  void shouldReadTheSaleAndTheReferenceWhateverItsCharacters() {
    // given
    Grant grant = Grants.of(PENDING.token(), "alice", 3, 77, 2, 1_000, 2_000, 4, "cart|7'\\\"}");
    Order referred = Order.reserved(grant).changed(OrderStatus.PENDING, null, 1_500);
    String written = OrderEvent.write(new OrderNotice(EventType.ORDER_BOOKED, referred, null), 99);

    // when
    Optional<Order> read = OrderEvent.read(written);

    // then
    assertThat(read).contains(referred);
  }

  /** A refused grant may have any text as its user. */
  @Test
  void shouldReadAUserOfAnyText() {
    // given
    Order odd = order("\"\\ \u00e9\n\u4e2d", OrderStatus.REJECTED, Reason.UNPROCESSABLE);

    // when
    Optional<Order> read =
        OrderEvent.read(OrderEvent.write(new OrderNotice(EventType.ORDER_REJECTED, odd, null), 99));

    // then
    assertThat(read).contains(odd);
  }

  private static Order order(String userId, OrderStatus status, Reason reason) {
    return new Order(
        Grants.of(
            new OrderTokens(new byte[16]).tokenFor("alice", new BucketId(1_001, 3), "key"),
            userId,
            3,
            77,
            2,
            1_700_000_000_000L,
            1_700_000_300_000L),
        new Order.Life(status, reason, 3, 0, 1_700_000_500_000L, OrderNotes.NONE),
        false);
  }
}
