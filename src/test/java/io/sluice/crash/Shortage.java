package io.sluice.crash;

import io.sluice.model.BucketId;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SkuIds;
import io.sluice.testkit.site.SluiceProcess;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A SKU of several buckets in all partitions, of which buyers empty one after the other. */
final class Shortage {
  private static final int UNITS = 400;
  private static final int QTY = 20;

  private final SaleSite site;
  private final SluiceProcess survivor;
  private final Consumer<Supplier<Answer>> open;
  private Sale sale;
  private int turns;
  private int restocks;

  /**
   * @param open told of questions that got no answer, to be asked again until there is one
   */
  Shortage(SaleSite site, SluiceProcess survivor, Consumer<Supplier<Answer>> open) {
    this.site = site;
    this.survivor = survivor;
    this.open = open;
  }

  void open() {
    long skuId = SkuIds.spread(site, Stage.BUCKETS);
    sale = site.sale(skuId, survivor).withStock(UNITS).withBuckets(Stage.BUCKETS).open();
  }

  /** Ten orders of the same bucket, then of the next. What is sold out is restocked. */
  void buy(SluiceProcess victim) {
    Buyer buyer = buyerOf(turns / 10 % Stage.BUCKETS, turns);
    turns++;
    Answer answer = sale.at(victim).order(buyer, "k", QTY);
    if ("409 sold-out".equals(answer.brief())) {
      String id = "s" + restocks++;
      open.accept(() -> sale.at(survivor).restock(id, UNITS));
      sale.at(survivor).restock(id, UNITS);
    } else if (!answer.came()) {
      open.accept(() -> sale.at(survivor).order(buyer, "k", QTY));
    }
  }

  private Buyer buyerOf(int bucket, int number) {
    for (int i = 0; ; i++) {
      Buyer buyer = Buyer.named("short-" + number + "-" + i);
      if (BucketId.of(sale.skuId(), buyer.userId(), Stage.BUCKETS).bucket() == bucket) {
        return buyer;
      }
    }
  }

  // ---- afterwards

  Stream<Sale> onSale() {
    return Stream.ofNullable(sale);
  }
}
