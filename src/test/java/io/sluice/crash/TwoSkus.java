package io.sluice.crash;

import io.sluice.model.Placement;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.CartSale;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleBodies;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SkuIds;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Two SKUs of one sale, and what buyers order of them: a unit of one, or of both as one order. */
final class TwoSkus {
  static final int UNITS = 80;

  /**
   * An order that is repeated in each of the sales.
   *
   * @param sku the only one, or the first of both
   */
  record Request(Sale sku, Buyer buyer) {}

  private final SaleSite site;
  private final SluiceProcess at;
  private final List<Sale> skus;
  private final OptionalInt partition;

  private TwoSkus(SaleSite site, SluiceProcess at, List<Sale> skus, OptionalInt partition) {
    this.site = site;
    this.at = at;
    this.skus = skus;
    this.partition = partition;
  }

  /** Ordered one by one; every owner has buckets of both. */
  static TwoSkus oneByOne(SaleSite site, SluiceProcess at) {
    return of(site, at, () -> SkuIds.spread(site, Stage.BUCKETS), OptionalInt.empty());
  }

  /** Ordered together, in this partition. */
  static TwoSkus together(SaleSite site, SluiceProcess at, int partition) {
    return of(site, at, site::newSkuId, OptionalInt.of(partition));
  }

  private static TwoSkus of(
      SaleSite site, SluiceProcess at, LongSupplier ids, OptionalInt partition) {
    List<Sale> skus =
        LongStream.generate(ids).limit(2).sorted().mapToObj(id -> site.known(id).at(at)).toList();
    return new TwoSkus(site, at, skus, partition);
  }

  List<Sale> skus() {
    return skus;
  }

  private boolean areTogether() {
    return partition.isPresent();
  }

  /** The id of their sale of this number. */
  String saleId(int number) {
    String id = "two-%d-%d".formatted(skus.get(0).skuId(), number);
    while (areTogether()
        && Placement.together(id, 1, site.partitions()).partitionOf(0) != partition.getAsInt()) {
      id += ".";
    }
    return id;
  }

  /** With which their sale is put. */
  JsonObject body() {
    JsonObject terms = new JsonObject().put("total_stock", UNITS).put("buckets", Stage.BUCKETS);
    return SaleBodies.of("two", skuIds(), terms).put("carts", areTogether());
  }

  private List<Long> skuIds() {
    return skus.stream().map(Sale::skuId).toList();
  }

  /**
   * The requests of a sale.
   *
   * @param buyers of each SKU, or of both together
   */
  List<Request> requests(int buyers) {
    return skus.stream()
        .limit(areTogether() ? 1 : skus.size())
        .flatMap(
            sku ->
                IntStream.range(0, buyers)
                    .mapToObj(n -> new Request(sku, Buyer.named("payer-" + n))))
        .toList();
  }

  /** The units that so many requests take of both SKUs. */
  int units(int requests) {
    return areTogether() ? requests * skus.size() : requests;
  }

  Answer order(Request request, String saleId, String key) {
    if (!areTogether()) {
      return request.sku().order(request.buyer(), key);
    }
    CartSale sale = CartSale.known(site, saleId, skuIds());
    return site.crowd(1)
        .send(List.of(() -> sale.ordering(at, request.buyer(), key, sale.lines(0, 1, 1, 1))))
        .get(0);
  }

  /** Whether this order has a unit of the SKU. */
  boolean isOf(Sale sku, String token) {
    return areTogether() || token.startsWith(sku.skuId() + ".");
  }
}
