package io.sluice.grant;

import static io.sluice.grant.Desk.answer;

import io.sluice.grant.OrderWish.Line;
import io.sluice.grant.PlacedOrder.Accepted;
import io.sluice.grant.PlacedOrder.Refused;
import io.sluice.ledger.SaleLedger.NewSale;
import io.sluice.ledger.SaleLedger.Seen;
import io.sluice.ledger.rules.SaleRules;
import io.sluice.model.BucketId;
import io.sluice.model.Cart;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.OrderToken;
import io.sluice.model.Refusal;
import io.sluice.model.Sale.SaleTerms;
import io.sluice.model.Sku;
import io.sluice.model.Sku.Membership;
import io.sluice.model.SkuState;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.StockStore;
import io.sluice.tracing.RecordedTraces;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
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
  final RecordedTraces traces;
  final List<Call> calls = new ArrayList<>();

  CartPlacingScene() {
    this(RecordedTraces.ofNone());
  }

  CartPlacingScene(RecordedTraces traces) {
    this.traces = traces;
    this.unit = new Desk(1, 0, false, traces);
  }

  /** Requests for several SKUs that wait for an answer. */
  record Call(List<StockStore.Request> carts, Promise<ReserveReply> reply) {
    void answer(List<GrantOutcome> outcomes, Map<BucketId, ReserveReply> buckets) {
      reply.complete(ReserveReply.ofCarts(outcomes, buckets, ScriptedStock.RUN));
    }

    void answer(Function<StockStore.Request, GrantOutcome> outcome) {
      answer(carts.stream().map(outcome).toList(), Map.of());
    }

    void grantAll() {
      answer(cart -> new GrantOutcome.Granted(grant(cart)));
    }

    void refuseAll(Refusal refusal, int line) {
      answer(cart -> new GrantOutcome.Refused(refusal, line));
    }

    StockStore.Request only() {
      if (carts.size() != 1) {
        throw new AssertionError("Expected one cart, but got " + carts);
      }
      return carts.get(0);
    }

    OrderToken token() {
      return only().token();
    }

    List<String> userIds() {
      return carts.stream().map(StockStore.Request::userId).toList();
    }
  }

  @BeforeEach
  void sellTogether() {
    sell(LEAD, 1);
    sell(OTHER, 1);
    unit.stock.carts =
        carts -> {
          Call call = new Call(carts, Promise.promise());
          calls.add(call);
          return call.reply().future();
        };
  }

  final void sell(long skuId, int buckets) {
    sell(SALE, 1, skuId, buckets, PARTITION);
  }

  final void sell(String saleId, long saleNo, long skuId, int buckets, int partition) {
    unit.ledger.add(skuId, buckets);
    unit.ledger.move(skuId, partition);
    Sku sku = unit.ledger.skus.get(skuId);
    Membership membership = new Membership(saleNo, saleId, false, 1);
    unit.ledger.skus.put(skuId, sku.with(sku.settings(), SkuState.OPEN, SkuState.OPEN, membership));
    open(saleId, true);
  }

  final void open(String saleId, boolean carts) {
    NewSale sale = new NewSale(saleId, saleId, carts, new SaleTerms(0, 0, 300, false), List.of());
    unit.sales.put(saleId, new Seen(SaleRules.create(sale, 0), 0));
  }

  final Call last() {
    return calls.get(calls.size() - 1);
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

  static Refused refused(Future<PlacedOrder> placed) {
    return (Refused) answer(placed);
  }

  static Accepted accepted(Future<PlacedOrder> placed) {
    return (Accepted) answer(placed);
  }

  static Grant grant(StockStore.Request asked) {
    Cart cart =
        new Cart(
            asked.lines().stream()
                .map(line -> new Cart.Line(line.bucket(), line.qty(), 1, 1, line.saleNo()))
                .toList());
    return Grants.ofLead(cart, asked.token(), asked.userId(), 10_000, 310_000, asked.reference());
  }
}
