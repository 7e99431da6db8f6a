package io.sluice.reservation.grant;

import io.sluice.async.TimerQueue;
import io.sluice.model.BucketId;
import io.sluice.model.OrderToken;
import io.sluice.model.OrderTokens;
import io.sluice.model.Refusal;
import io.sluice.model.Sku;
import io.sluice.reservation.grant.PlacedOrder.Refused;
import io.sluice.reservation.sku.SkuCatalog;
import io.sluice.stock.CartRequest;
import io.sluice.tracing.TraceContext;
import io.sluice.tracing.Traces;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Makes a request of a wish for several SKUs, or refuses it. All SKUs must be of one sale that
 * takes carts. Redis is asked if their buckets are all in one partition, the ledger if all of them
 * sell in it alone.
 */
final class CartPlacing {
  private final SkuCatalog catalog;
  private final CartSales sales;
  private final OrderTokens tokens;
  private final GrantRouter routes;
  private final CartBatcher batcher;
  private final DirectPlacing direct;
  private final EndedSkus ended;
  private final TimerQueue deadlines;
  private final Duration deadline;
  private final Traces traces;

  CartPlacing(
      SkuCatalog catalog,
      CartSales sales,
      OrderTokens tokens,
      GrantRouter routes,
      CartBatcher batcher,
      DirectPlacing direct,
      EndedSkus ended,
      TimerQueue deadlines,
      Duration deadline,
      Traces traces) {
    this.catalog = catalog;
    this.sales = sales;
    this.tokens = tokens;
    this.routes = routes;
    this.batcher = batcher;
    this.direct = direct;
    this.ended = ended;
    this.deadlines = deadlines;
    this.deadline = deadline;
    this.traces = traces;
  }

  /** The SKUs of a wish that may be ordered together, in the order of its lines. */
  record Together(List<Sku> skus) {
    Sku lead() {
      return skus.get(0);
    }
  }

  /** The facts about a wish before Redis or the ledger is asked. */
  sealed interface Look {
    /** It may be asked for. */
    record Good(Together together) implements Look {}

    /**
     * @param lead if its sale is known, to which the refusal counts
     */
    record Bad(Refused refused, @Nullable Sku lead) implements Look {}
  }

  /** Looks at the SKUs of the wish; never fails. */
  Future<Look> look(CartWish wish, SkuEntry entry) {
    return deadlines
        .within(
            deadline,
            lookUp(wish, catalog::find, entry).compose(known -> unlessOver(known, wish, entry)))
        .otherwise(cause -> new Look.Bad(Refusals.whenUnread(cause), null));
  }

  /**
   * The SKUs may have gone on to the next sale. One that has ended may have granted there, so it is
   * read again; that others are not together need not be known before the next second.
   */
  private Future<Look> unlessOver(Look known, CartWish wish, SkuEntry entry) {
    if (known instanceof Look.Good good) {
      return good.together().skus().stream().anyMatch(sku -> sku.state().isEnded())
          ? lookUp(wish, catalog::readAgain, entry)
          : Future.succeededFuture(known);
    }
    return ((Look.Bad) known).refused().refusal() == Refusal.NOT_TOGETHER
        ? lookUp(wish, catalog::readLately, entry)
        : Future.succeededFuture(known);
  }

  private Future<Look> lookUp(
      CartWish wish, LongFunction<Future<Optional<Sku>>> reads, SkuEntry entry) {
    List<Future<Optional<Sku>>> finds =
        wish.lines().stream().map(line -> reads.apply(line.skuId())).toList();
    return Future.all(finds)
        .compose(all -> look(wish, finds.stream().map(Future::result).toList(), entry));
  }

  private Future<Look> look(CartWish wish, List<Optional<Sku>> found, SkuEntry entry) {
    List<Sku> skus = new ArrayList<>(found.size());
    for (int i = 0; i < found.size(); i++) {
      if (found.get(i).isEmpty()) {
        long skuId = wish.lines().get(i).skuId();
        return bad(Refusals.unknownSku(skuId).ofLine(skuId));
      }
      skus.add(found.get(i).get());
    }
    String saleId = skus.get(0).membership().saleId();
    if (saleId == null) {
      return bad(Refusals.notTogether(skus.get(0).skuId()));
    }
    for (Sku sku : skus) {
      if (!saleId.equals(sku.membership().saleId())) {
        return bad(Refusals.notTogether(sku.skuId()));
      }
      if (sku.isDirect() != skus.get(0).isDirect()) {
        return bad(Refusals.otherMode(sku));
      }
    }
    return sales.take(saleId).map(carts -> look(carts, skus, entry));
  }

  private static Look look(boolean carts, List<Sku> skus, SkuEntry entry) {
    if (!carts) {
      return new Look.Bad(Refusals.notTogether(skus.get(0).skuId()), null);
    }
    for (Sku sku : skus) {
      Refused barred = entry.refusal(sku);
      if (barred != null) {
        return new Look.Bad(barred.ofLine(sku.skuId()), skus.get(0));
      }
    }
    return new Look.Good(new Together(skus));
  }

  private static Future<Look> bad(Refused refused) {
    return Future.succeededFuture(new Look.Bad(refused, null));
  }

  /** Asks Redis or the ledger, or answers at once. */
  Future<PlacedOrder> place(CartWish wish, Together together) {
    CartRequest request = request(wish, together);
    Optional<Sku> over = together.skus().stream().filter(sku -> sku.state().isEnded()).findFirst();
    if (over.isPresent()) {
      return ended.place(request, over.get().skuId());
    }
    if (together.lead().isDirect()) {
      CartGrantRequest open = open(wish, together, request, GrantRoute.DIRECT);
      direct.add(DirectRequest.of(open));
      return open.answer();
    }
    int partition = partition(request, together);
    if (partition < 0) {
      together.skus().forEach(sku -> catalog.doubt(sku.skuId()));
      return Future.succeededFuture(Refusals.loading());
    }
    int soldOut = batcher.soldOutLine(together.skus(), request);
    if (soldOut >= 0) {
      return Future.succeededFuture(CartBatcher.refusal(request, Refusal.SOLD_OUT, soldOut, 0));
    }
    GrantRoute route = routes.next(partition);
    if (route == GrantRoute.NONE) {
      return Future.succeededFuture(Refusals.noRoute());
    }
    CartGrantRequest open = open(wish, together, request, route);
    batcher.add(partition, open);
    return open.answer();
  }

  private CartGrantRequest open(
      CartWish wish, Together together, CartRequest request, GrantRoute route) {
    TraceContext trace = traceOf(wish, request.token());
    return new CartGrantRequest(together.skus(), request, route, trace);
  }

  private CartRequest request(CartWish wish, Together together) {
    List<CartRequest.Line> lines = new ArrayList<>();
    for (int i = 0; i < wish.lines().size(); i++) {
      Sku sku = together.skus().get(i);
      BucketId bucket = BucketId.of(sku.skuId(), wish.userId(), sku.buckets());
      lines.add(new CartRequest.Line(bucket, wish.lines().get(i).qty(), sku.saleNo()));
    }
    OrderToken token =
        tokens.tokenFor(
            wish.userId(),
            lines.get(0).bucket(),
            wish.requestKey(),
            together.lead().saleNo(),
            wish.skuIds());
    return new CartRequest(token, wish.userId(), wish.reference(), lines);
  }

  /** Where all its buckets are; negative if they are not together, as far as is known here. */
  private static int partition(CartRequest request, Together together) {
    Set<Integer> partitions = new HashSet<>();
    for (int i = 0; i < request.lines().size(); i++) {
      int bucket = request.lines().get(i).bucket().bucket();
      partitions.add(together.skus().get(i).placed(bucket).partition());
    }
    return partitions.size() == 1 ? partitions.iterator().next() : -1;
  }

  private @Nullable TraceContext traceOf(CartWish wish, OrderToken token) {
    return wish.traced() || traces.samples(token.value()) ? TraceContext.ofOrder(token) : null;
  }
}
