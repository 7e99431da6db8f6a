package io.sluice.grant;

import io.sluice.grant.OrderWish.Line;
import io.sluice.grant.ScriptedStock.Reserve;
import io.sluice.ledger.SaleLedger.NewSale;
import io.sluice.ledger.SaleLedger.Seen;
import io.sluice.ledger.rules.SaleRules;
import io.sluice.model.Sale.SaleTerms;
import io.sluice.model.Sku;
import io.sluice.model.Sku.Membership;
import io.sluice.model.SkuState;
import io.sluice.tracing.RecordedTraces;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;

/** An event loop that is asked for two SKUs of one sale, and a Redis whose test answers it. */
abstract class CartPlacingScene {
  static final long LEAD = Desk.SKU;
  static final long OTHER = LEAD + 1;
  static final int PARTITION = 3;
  static final String SALE = "phones";
  static final long SECOND_MS = 1_000;

  final Desk unit;
  final List<Reserve> calls;
  final RecordedTraces traces;

  CartPlacingScene() {
    this(RecordedTraces.ofNone());
  }

  CartPlacingScene(RecordedTraces traces) {
    this.traces = traces;
    this.unit = new Desk(1, 0, false, traces);
    this.calls = unit.stock.reserves;
  }

  @BeforeEach
  void sellTogether() {
    sell(LEAD, 1);
    sell(OTHER, 1);
  }

  final void sell(long skuId, int buckets) {
    sell(SALE, 1, skuId, buckets, PARTITION);
  }

  final void sell(String saleId, long saleNo, long skuId, int buckets, int partition) {
    unit.ledger.add(skuId, buckets);
    unit.ledger.move(skuId, partition);
    put(skuId, saleNo, saleId, SkuState.OPEN);
  }

  /** The SKU is in this sale, in this state. */
  final void put(long skuId, long saleNo, String saleId, SkuState state) {
    Sku sku = unit.ledger.skus.get(skuId);
    Membership membership = new Membership(saleNo, saleId, false, 1, 0);
    unit.ledger.skus.put(skuId, sku.with(sku.settings(), state, state, membership));
    open(saleId, true);
  }

  final void open(String saleId, boolean carts) {
    NewSale sale = new NewSale(saleId, saleId, carts, new SaleTerms(0, 0, 300, false), List.of());
    unit.sales.put(saleId, new Seen(SaleRules.create(sale, 0), 0));
  }

  final Reserve last() {
    return calls.get(calls.size() - 1);
  }

  /** One unit of the lead, or also two of the other SKU. */
  final Future<PlacedOrder> place(String userId, int skus) {
    return skus == 1 ? unit.place(userId) : place(userId);
  }

  /** One unit of the lead, two of the other SKU. */
  final Future<PlacedOrder> place(String userId) {
    return place(userId, null, new Line(LEAD, 1), new Line(OTHER, 2));
  }

  final Future<PlacedOrder> place(String userId, @Nullable String requestKey, Line... lines) {
    return place(new OrderWish(userId, List.of(lines), requestKey, null, false), SkuEntry.OPEN);
  }

  final Future<PlacedOrder> place(OrderWish wish, SkuEntry entry) {
    return unit.reservations.place(wish, entry);
  }
}
