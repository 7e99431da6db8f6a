package io.sluice.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SkuIds;
import io.sluice.testkit.site.SluiceProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The ends of a stage: SKUs that end alone, and sales that end as a whole. */
final class Ends {
  private static final int UNITS = 4_000;
  private static final int LATE_ORDERS = 8;
  private static final int BUYERS = 2;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final SaleSite site;
  private final SluiceProcess survivor;
  private final List<Sale> alone = new ArrayList<>();
  private final Map<String, Sale> own = new LinkedHashMap<>();
  private final Map<String, SaleOfTwo> sales = new LinkedHashMap<>();
  private Predicate<SaleOfTwo> rest = SaleOfTwo::isOver;

  Ends(SaleSite site, SluiceProcess survivor) {
    this.site = site;
    this.survivor = survivor;
  }

  // ---- SKUs that end alone

  /**
   * A SKU with a bucket for each owner, with an order that is paid, one of each owner, and one of
   * each victim, which nobody else begins to end.
   */
  void openSkus() {
    Sale spread = open(SkuIds.spread(site, Stage.BUCKETS), Stage.BUCKETS);
    Buyer buyer = Buyer.named("payer");
    await().atMost(LIMIT).until(() -> spread.order(buyer).isYes());
    await().atMost(LIMIT).until(() -> spread.pay(spread.order(buyer).token()).status() == 200);
    for (int partition = 0; partition < site.partitions(); partition++) {
      open(SkuIds.of(site, partition), 1);
    }
    victims().forEach(victim -> own.put(victim.name(), open(site.newSkuId(), 1)));
  }

  private Stream<SluiceProcess> victims() {
    return site.instances().stream().filter(instance -> instance != survivor);
  }

  private Sale open(long skuId, int buckets) {
    Sale sale =
        site.sale(skuId, survivor).withStock(UNITS).withBuckets(buckets).open().at(survivor);
    alone.add(sale);
    return sale;
  }

  void endSkus(SluiceProcess at) {
    Stream.concat(
            Stream.of(Objects.requireNonNull(own.get(at.name()))),
            alone.stream().filter(sale -> !own.containsValue(sale)))
        .forEach(sale -> sale.at(at).end());
  }

  // ---- sales that end as a whole

  /** A sale of two SKUs for each victim, in which units are sold. */
  void openSales() {
    open(oneByOne(true, 1), SaleOfTwo::isSold, SaleOfTwo::isOver);
  }

  /** The same, and it has ended. */
  void openSalesThatAreOver() {
    open(oneByOne(false, 1), SaleOfTwo::isOver, SaleOfTwo::isSoldAgain);
  }

  /** The same, and their SKUs are sold again. */
  void openSalesThatAreSoldAgain() {
    open(oneByOne(false, LATE_ORDERS), SaleOfTwo::isSoldAgain, SaleOfTwo::isSoldAgain);
  }

  /** A sale of two SKUs that are ordered together, in each partition, in which units are sold. */
  void openCartSales() {
    open(together(true), SaleOfTwo::isSold, SaleOfTwo::isOver);
  }

  /** The same, and it has ended. */
  void openCartSalesThatAreOver() {
    open(together(false), SaleOfTwo::isOver, SaleOfTwo::isSoldAgain);
  }

  private Map<String, SaleOfTwo> oneByOne(boolean archives, int buyers) {
    Map<String, SaleOfTwo> made = new LinkedHashMap<>();
    victims()
        .forEach(
            victim -> {
              TwoSkus skus = TwoSkus.oneByOne(site, survivor);
              made.put(victim.name(), new SaleOfTwo(site, survivor, archives, skus, buyers));
            });
    return made;
  }

  private Map<String, SaleOfTwo> together(boolean archives) {
    Map<String, SaleOfTwo> made = new LinkedHashMap<>();
    for (int partition = 0; partition < site.partitions(); partition++) {
      TwoSkus skus = TwoSkus.together(site, survivor, partition);
      made.put("partition " + partition, new SaleOfTwo(site, survivor, archives, skus, BUYERS));
    }
    return made;
  }

  private void open(
      Map<String, SaleOfTwo> made, Predicate<SaleOfTwo> until, Predicate<SaleOfTwo> afterwards) {
    sales.putAll(made);
    goOnUntil(until);
    rest = afterwards;
  }

  private void goOnUntil(Predicate<SaleOfTwo> there) {
    await()
        .atMost(LIMIT)
        .pollDelay(Duration.ZERO)
        .until(
            () -> {
              sales.values().stream().filter(there.negate()).forEach(s -> s.goOn(survivor));
              return sales.values().stream().allMatch(there);
            });
  }

  /** The next step of the victim's sale, or of all, where the victims share them. */
  void goOn(SluiceProcess victim) {
    SaleOfTwo its = sales.get(victim.name());
    (its == null ? sales.values() : List.of(its)).forEach(sale -> sale.goOn(victim));
  }

  /** Refunds an order of the sale before, of each victim's sale. */
  void refundLate() {
    sales.values().forEach(SaleOfTwo::refundNext);
  }

  // ---- afterwards

  /** Waits until all is ended, or sold again, and answered as before. */
  void settle() {
    alone.forEach(sale -> await().atMost(LIMIT).until(() -> sale.end().status() == 200));
    goOnUntil(rest);
    await().atMost(LIMIT).pollDelay(Duration.ZERO).untilAsserted(this::expectRest);
  }

  private void expectRest() {
    alone.forEach(sale -> assertThat(site.stock().keysOf(sale.skuId())).isEmpty());
    for (SaleOfTwo sale : sales.values()) {
      sale.expectSameAnswers();
      if (sale.isOver()) {
        sale.expectGone();
      } else {
        sale.expectSoldAgain();
      }
    }
  }

  /** SKUs that are on sale. */
  Stream<Sale> onSale() {
    return sales.values().stream().filter(SaleOfTwo::isSold).flatMap(sale -> sale.skus().stream());
  }
}
