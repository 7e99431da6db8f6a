package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.DirectLedger.Line;
import io.sluice.ledger.DirectLedger.Outcome;
import io.sluice.ledger.DirectLedger.Wish;
import io.sluice.ledger.OutboxRow;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.OrderTokens;
import io.sluice.model.Refusal;
import io.sluice.model.Sku;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Shorthand for the contract of orders of several SKUs that sell in the ledger alone. */
abstract class DirectCartScene extends CartLedgerScene {
  static final OrderTokens TOKENS = new OrderTokens(new byte[16]);

  final List<BucketId> directCarts(long... stocks) {
    return carts(Sku.Mode.DIRECT, 1, stocks);
  }

  static OrderToken token(String user, List<BucketId> buckets) {
    return TOKENS.tokenFor(user, buckets.get(0), "cart", 1);
  }

  /** So many units of each bucket. */
  static Wish wish(String user, List<BucketId> buckets, int... units) {
    List<Line> lines =
        IntStream.range(0, units.length).mapToObj(i -> new Line(buckets.get(i), units[i])).toList();
    return new Wish(token(user, buckets), user, "ref-" + user, lines);
  }

  static Map<Long, Long> sales(Wish wish) {
    Map<Long, Long> sales = new TreeMap<>();
    wish.lines().forEach(line -> sales.put(line.bucket().skuId(), 1L));
    return sales;
  }

  final List<Outcome> place(Wish... wishes) {
    return get(direct().place(sales(wishes[0]), () -> List.of(wishes)));
  }

  final Order booked(Wish wish) {
    Outcome outcome = place(wish).get(0);
    assertThat(outcome).isInstanceOf(Outcome.Booked.class);
    return ((Outcome.Booked) outcome).order();
  }

  final Order tell(Command... commands) {
    return get(direct().apply(List.of(commands))).get(commands[0].token());
  }

  /** Direct SKUs of all tests are in one partition. */
  final List<String> eventTypes(BucketId bucket) {
    return left(bucket, OutboxKind.EVENT).stream()
        .filter(row -> row.payload().contains("\"sku_id\":" + bucket.skuId()))
        .map(OutboxRow::eventType)
        .toList();
  }

  static Refusal refusal(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Refused.class);
    return ((Outcome.Refused) outcome).refusal();
  }
}
