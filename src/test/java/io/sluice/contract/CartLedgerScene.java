package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Batches;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.OutboxRow;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.SaleLedger.NewSale;
import io.sluice.ledger.SaleLedger.SaleSku;
import io.sluice.ledger.SaleSkus;
import io.sluice.ledger.Step;
import io.sluice.ledger.Step.Result;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.model.BucketId;
import io.sluice.model.Cart;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.OrderTokens;
import io.sluice.model.Sku;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Shorthand for the contracts of orders of SKUs of one bucket, in one sale: of one SKU, or several.
 */
abstract class CartLedgerScene extends AgainScene {
  private static final OrderTokens TOKENS = new OrderTokens(new byte[16]);
  private static final String KEY = "cart";

  /** The buckets of a sale with carts, in the order of their SKUs. */
  List<BucketId> carts(long... stocks) {
    return carts(Sku.Mode.FAST, 1, stocks);
  }

  /** The first buckets of SKUs that have more. */
  final List<BucketId> carts(Sku.Mode mode, int buckets, long... stocks) {
    List<SaleSku> skus = new ArrayList<>();
    for (long stock : stocks) {
      skus.add(SaleSkus.of(newSkuId(), stock, buckets, 2, MARKS, mode));
    }
    put(new NewSale(saleId, "carts", true, OPEN, skus));
    return skus.stream().map(LeftSaleScene::bucketOf).toList();
  }

  /** The stocks of so many SKUs, with ten units each. */
  static long[] tens(int skus) {
    return LongStream.generate(() -> 10).limit(skus).toArray();
  }

  /** The same, but the last one has other units. */
  static long[] tensAnd(int skus, long last) {
    long[] stocks = tens(skus);
    stocks[skus - 1] = last;
    return stocks;
  }

  static <T> T last(List<T> all) {
    return all.get(all.size() - 1);
  }

  // ---- grants

  /** Units of one bucket each, as a line of the current epoch. */
  Cart.Line line(BucketId bucket, int qty, long seq) {
    var row = row(bucket);
    return new Cart.Line(bucket, qty, row.epoch(), seq, row.saleNo());
  }

  /** The lead of a cart with this many units of each bucket. */
  Grant cart(int number, List<BucketId> buckets, int... units) {
    long nowMs = get(ledger().nowMs()) - 1_000;
    return cart(number, nowMs, nowMs + 300_000, buckets, units);
  }

  Grant cart(int number, long atMs, long payBeforeMs, List<BucketId> buckets, int... units) {
    List<Cart.Line> lines = new ArrayList<>();
    for (int i = 0; i < units.length; i++) {
      lines.add(line(buckets.get(i), units[i], 100L * number + i));
    }
    String user = Buyers.of(number);
    Cart.Line lead = lines.get(0);
    OrderToken token = TOKENS.tokenFor(user, lead.bucket(), KEY);
    String reference = "ref-" + number;
    return lines.size() > 1
        ? Grants.ofLead(new Cart(lines), token, user, atMs, payBeforeMs, reference)
        : Grants.of(
            token,
            user,
            lead.qty(),
            lead.seq(),
            lead.epoch(),
            atMs,
            payBeforeMs,
            lead.saleNo(),
            reference);
  }

  /** An order of so many units of each bucket: of one SKU alone, or a cart. */
  Grant ofEach(int number, List<BucketId> buckets, int qty) {
    return cart(number, buckets, units(buckets, qty));
  }

  Grant ofEach(int number, long atMs, long payBeforeMs, List<BucketId> buckets, int qty) {
    return cart(number, atMs, payBeforeMs, buckets, units(buckets, qty));
  }

  private static int[] units(List<BucketId> buckets, int qty) {
    return IntStream.generate(() -> qty).limit(buckets.size()).toArray();
  }

  static OrderToken follower(Grant lead, int index) {
    return lead.lines().get(index).token();
  }

  // ---- owners

  final Fence owner(BucketId bucket) {
    return get(ledger().takeOver(row(bucket).partition(), 0));
  }

  /** Applies commands where this bucket is now, without advancing the log's offset. */
  final Result.Applied tell(BucketId bucket, Command... commands) {
    return tell(ledger(), bucket, commands);
  }

  final Result.Applied tell(Ledger by, BucketId bucket, Command... commands) {
    return applied(get(Batches.apply(by, Step.check(owner(bucket)), Arrays.asList(commands))));
  }

  /** Applies commands as the next record of the log. */
  final Result.Applied log(BucketId bucket, Command... commands) {
    Fence fence = owner(bucket);
    Step step = Step.advance(fence, fence.nextOffset() + 1);
    return applied(get(Batches.apply(ledger(), step, Arrays.asList(commands))));
  }

  final Grant bookedCart(int number, List<BucketId> buckets, int... units) {
    Grant lead = cart(number, buckets, units);
    log(buckets.get(0), reserve(lead));
    return lead;
  }

  final Grant soldCart(int number, List<BucketId> buckets, int... units) {
    Grant lead = bookedCart(number, buckets, units);
    tell(buckets.get(0), new Command.Confirm(lead.token(), null));
    return lead;
  }

  // ---- what came of it

  /** The order of this token, read alone. */
  final Order seen(OrderToken token) {
    Map<OrderToken, Order> found = get(ledger().orders(List.of(token)));
    assertThat(found).containsKey(token);
    return found.get(token);
  }

  final List<OrderStatus> statuses(Grant lead) {
    return lead.tokens().stream().map(token -> line(token).status()).toList();
  }

  /** A line as it is alone: that of the lead is read as the whole. */
  private Order line(OrderToken token) {
    return get(ledger().orders(List.of(token))).get(token);
  }

  final void expectNothingOf(Grant lead) {
    assertThat(get(ledger().orders(lead.tokens()))).isEmpty();
    for (Grant line : lead.lines()) {
      assertThat(row(line.token().bucketId()).taken()).isZero();
    }
  }

  final List<Long> held(List<BucketId> buckets) {
    return buckets.stream().map(bucket -> row(bucket).held()).toList();
  }

  final List<Long> sold(List<BucketId> buckets) {
    return buckets.stream().map(bucket -> row(bucket).sold()).toList();
  }

  final List<String> told(BucketId bucket) {
    return left(bucket, OutboxKind.EVENT).stream().map(OutboxRow::eventType).toList();
  }

  /** The orders in the events of this type, as listeners get them. */
  final List<Order> toldOf(BucketId bucket, String type) {
    return left(bucket, OutboxKind.EVENT).stream()
        .filter(row -> row.eventType().equals(type))
        .map(row -> OutboxPayload.order(row.payload()).orElseThrow())
        .toList();
  }

  final List<OutboxPayload.Release> released(BucketId bucket) {
    return left(bucket, OutboxKind.RELEASE).stream()
        .map(row -> OutboxPayload.releaseOf(row.payload()))
        .toList();
  }

  /** The entries that are left for the owner of this bucket, each as a row. */
  final List<OutboxRow> left(BucketId bucket, OutboxKind kind) {
    return entries(row(bucket).partition(), kind);
  }
}
