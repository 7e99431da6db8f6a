package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.DirectLedger.Line;
import io.sluice.ledger.DirectLedger.Outcome;
import io.sluice.ledger.DirectLedger.Wish;
import io.sluice.ledger.OutboxRow;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.OrderTokens;
import io.sluice.model.Refusal;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Shorthand for the contracts of SKUs that sell in the ledger alone. */
abstract class DirectScene extends CartLedgerScene {
  static final OrderTokens TOKENS = new OrderTokens(new byte[16]);

  final BucketId direct(long stock) {
    return direct(stock, 1, SETTINGS);
  }

  final BucketId direct(long stock, int buckets, SkuSettings settings) {
    Sku sku = put(new NewSku(newSkuId(), stock, buckets, Sku.Mode.DIRECT, settings));
    return new BucketId(sku.skuId(), 0);
  }

  static SkuSettings limited(int limit) {
    return new SkuSettings(300, limit, 0, 0);
  }

  static Wish wish(BucketId bucket, String user, int qty) {
    return keyed(bucket, user, "", qty);
  }

  static Wish keyed(BucketId bucket, String user, String key, int qty) {
    return new Wish(TOKENS.tokenFor(user, bucket, key), user, qty, null);
  }

  final List<BucketId> directCarts(long... stocks) {
    return carts(Sku.Mode.DIRECT, 1, stocks);
  }

  /** So many units of each bucket, as one order. */
  static Wish each(String user, List<BucketId> buckets, int qty) {
    return wish(user, buckets, IntStream.generate(() -> qty).limit(buckets.size()).toArray());
  }

  /** So many units of each bucket, as one order. */
  static Wish wish(String user, List<BucketId> buckets, int... units) {
    List<Line> lines =
        IntStream.range(0, units.length).mapToObj(i -> new Line(buckets.get(i), units[i])).toList();
    OrderToken token = TOKENS.tokenFor(user, buckets.get(0), "cart", 1);
    return new Wish(token, user, "ref-" + user, lines);
  }

  final List<Outcome> place(Wish... wishes) {
    return get(direct().place(salesOf(wishes[0]), () -> List.of(wishes)));
  }

  /** The sales that the SKUs of a wish are in. */
  final Map<Long, Long> salesOf(Wish wish) {
    Map<Long, Long> sales = new TreeMap<>();
    wish.lines().forEach(line -> sales.put(line.bucket().skuId(), row(line.bucket()).saleNo()));
    return sales;
  }

  /** The same of callers who believe in this sale. */
  final List<Outcome> placeIn(long saleNo, Wish... wishes) {
    Map<Long, Long> sales = Map.of(wishes[0].token().skuId(), saleNo);
    return get(direct().place(sales, () -> List.of(wishes)));
  }

  final Order booked(Wish wish) {
    Outcome outcome = place(wish).get(0);
    assertThat(outcome).isInstanceOf(Outcome.Booked.class);
    return ((Outcome.Booked) outcome).order();
  }

  static Refusal refusal(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Refused.class);
    return ((Outcome.Refused) outcome).refusal();
  }

  /** The order of the first of them, afterwards. */
  final Order apply(Command... commands) {
    return get(direct().apply(List.of(commands))).get(commands[0].token());
  }

  /** Direct SKUs of all tests are in one partition. */
  final List<String> eventTypes(BucketId bucket) {
    return left(bucket, OutboxKind.EVENT).stream()
        .filter(row -> row.payload().contains("\"sku_id\":" + bucket.skuId()))
        .map(OutboxRow::eventType)
        .toList();
  }

  static Command part(OrderToken token, int qty, Command.RefundPart.Step step) {
    return new Command.RefundPart(token, "r1", qty, step);
  }
}
