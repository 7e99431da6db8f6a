package io.sluice.crash;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Orders of a SKU that sells in the ledger alone: placed, then paid or canceled, in turn. */
final class DirectOrders {
  private static final int UNITS = 10_000;

  private final SaleSite site;
  private final SluiceProcess survivor;
  private final Consumer<Supplier<Answer>> open;
  private Sale sale;
  private int arrivals;

  /**
   * @param open told of questions that got no answer, to be asked again until there is one
   */
  DirectOrders(SaleSite site, SluiceProcess survivor, Consumer<Supplier<Answer>> open) {
    this.site = site;
    this.survivor = survivor;
    this.open = open;
  }

  void open() {
    sale =
        site.sale(site.newSkuId(), survivor)
            .withStock(UNITS)
            .withBuckets(2)
            .withLimit(1)
            .withPaymentWindow(Duration.ofHours(1))
            .direct()
            .open();
  }

  void live(SluiceProcess at) {
    int number = arrivals++;
    Buyer buyer = Buyer.named("direct-" + number);
    Answer placed = sale.at(at).order(buyer, "k");
    if (!placed.isYes()) {
      open.accept(() -> sale.at(survivor).order(buyer, "k"));
      return;
    }
    String token = placed.token();
    Answer ended = number % 2 == 0 ? sale.at(at).pay(token) : sale.at(at).cancel(buyer, token);
    if (Stage.isOpen(ended)) {
      open.accept(
          () ->
              number % 2 == 0
                  ? sale.at(survivor).pay(token)
                  : sale.at(survivor).cancel(buyer, token));
    }
  }
}
