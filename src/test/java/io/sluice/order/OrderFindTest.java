package io.sluice.order;

import static io.sluice.grant.Desk.answer;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.Desk;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.order.OrderAnswer.Known;
import io.sluice.order.OrderAnswer.NotNow;
import io.sluice.order.OrderAnswer.Unknown;
import io.sluice.stock.BucketCode;
import io.sluice.stock.Recorded;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The sources of an order's status, and the answer where it cannot be learned. */
class OrderFindTest {
  private final Desk unit = new Desk(2);
  private final OrderToken token = unit.token("alice");
  private final Order pending = unit.order("alice", OrderStatus.PENDING, 1);

  @BeforeEach
  void knowTheSku() {
    unit.catalog.find(Desk.SKU);
  }

  /** What Redis says of it, whether the ledger has its row or fails, and the answer. */
  @ParameterizedTest
  @CsvSource({
    "unbooked, down, RESERVED",
    "booked, row, PENDING",
    "unknown, row, PENDING",
    "LOST, row, PENDING",
    "OK, none, UNKNOWN",
    "ABSENT, none, BUSY",
    "LOST, none, BUSY",
    "LOADING, none, BUSY",
    "ended, none, BUSY",
    "down, none, UNAVAILABLE",
    "unknown, down, UNAVAILABLE"
  })
  void shouldAskRedisAndThenTheLedger(String redis, String ledger, String expected) {
    // given
    switch (redis) {
      case "unbooked" -> record(true, true);
      case "booked" -> record(true, false);
      case "ended" -> record(false, false);
      case "down" -> unit.stock.down = true;
      case "unknown" -> unit.stock.recorded.clear();
      default -> unit.stock.code = BucketCode.valueOf(redis);
    }
    unit.ledger.down = ledger.equals("down");
    if (ledger.equals("row")) {
      unit.ledger.put(pending);
    }
    Map<String, OrderAnswer> answers =
        Map.of(
            "RESERVED", new Known(Order.reserved(unit.grant("alice"))),
            "PENDING", new Known(pending),
            "UNKNOWN", new Unknown(),
            "BUSY", new NotNow(true),
            "UNAVAILABLE", new NotNow(false));

    // when
    OrderAnswer found = find();

    // then
    assertThat(found).isEqualTo(answers.get(expected));
    assertThat(unit.ledger.reads.isEmpty()).isEqualTo(redis.equals("unbooked"));
  }

  @Test
  void shouldNotGoBackToReservedWhenTheLedgersRowWasSeen() {
    // given
    record(true, true);
    unit.hear(pending);
    unit.ledger.put(pending);

    // when
    OrderAnswer found = find();

    // then
    assertThat(found).isEqualTo(new Known(pending));
  }

  @ParameterizedTest
  @ValueSource(strings = {"77.0", "1001.2"})
  void shouldAskNoStoreWhenTheSkuOrItsBucketIsUnknown(String bucket) {
    // when
    OrderAnswer found = find(bucket);

    // then
    assertThat(found).isEqualTo(new Unknown());
    assertThat(unit.stock.lookups).isEmpty();
    assertThat(unit.ledger.reads).isEmpty();
  }

  @Test
  void shouldBeUnavailableWhenTheSkuCannotBeLookedUp() {
    // given
    unit.ledger.down = true;

    // when
    OrderAnswer found = find("77.0");

    // then
    assertThat(found).isEqualTo(new NotNow(false));
  }

  @Test
  void shouldAskNobodyWhenTheCacheIsCurrent() {
    // given
    unit.heartbeat("alice", 1);
    unit.hear(pending);

    // when
    OrderAnswer found = find();

    // then
    assertThat(found).isEqualTo(new Known(pending));
    assertThat(unit.stock.lookups).isEmpty();
    assertThat(unit.ledger.reads).isEmpty();
  }

  @Test
  void shouldReadTheLedgerWhenTheCacheIsNotCurrent() {
    // given
    unit.hear(pending);
    Order confirmed = unit.order("alice", OrderStatus.CONFIRMED, 2);
    unit.ledger.put(confirmed);

    // when
    OrderAnswer found = find();

    // then
    assertThat(found).isEqualTo(new Known(confirmed));
    assertThat(unit.cache.lastKnown(token)).isEqualTo(confirmed);
  }

  @Test
  void shouldLookTwiceWhenTheBookedRowIsNotSeenYet() {
    // given
    record(true, false);
    unit.ledger.hold();
    Future<OrderAnswer> found = unit.orders.find(token, order -> true);
    unit.ledger.release();

    // when
    List<?> reads = unit.ledger.reads;

    // then
    assertThat(reads).hasSize(2);
    assertThat(answer(found)).isEqualTo(new NotNow(true));
  }

  @Test
  void shouldBeUnknownWhenTheCallerMayNotSeeIt() {
    // given
    unit.ledger.put(pending);

    // when
    OrderAnswer found = answer(unit.orders.find(token, order -> order.userId().equals("bob")));

    // then
    assertThat(found).isEqualTo(new Unknown());
  }

  @Test
  void shouldJoinReadsWhenOneIsUnderWay() {
    // given
    unit.ledger.put(pending);
    unit.ledger.hold();
    unit.orders.find(unit.token("bob"), order -> true);
    Future<OrderAnswer> alice = unit.orders.find(token, order -> true);
    unit.orders.find(unit.token("carol"), order -> true);

    // when
    unit.ledger.release();

    // then
    assertThat(answer(alice)).isEqualTo(new Known(pending));
    assertThat(unit.ledger.reads).hasSize(2);
  }

  private OrderAnswer find() {
    return answer(unit.orders.find(token, order -> order.userId().equals("alice")));
  }

  private OrderAnswer find(String bucket) {
    OrderToken token = OrderToken.parse(bucket + ".AAAAAAAAAAAAAAAAAAAAAA").orElseThrow();
    return answer(unit.orders.find(token, order -> true));
  }

  private void record(boolean live, boolean unbooked) {
    unit.stock.recorded.put(token, new Recorded(unit.grant("alice"), live, unbooked));
  }
}
