package io.sluice.chaos;

import io.sluice.chaos.buyer.Goods;
import io.sluice.chaos.buyer.Goods.Item;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Buys every unit that the ledger shows as available, through the API. */
final class SellOut {
  private static final int ROUND = 100;
  private static final int VISITORS = 16;
  private static final int ROUNDS_IN_VAIN_MAX = 20;

  private final SaleSite site;
  private int number;
  private long sold;

  SellOut(SaleSite site) {
    this.site = site;
  }

  List<String> breaches(List<Item> items) {
    var breaches = new ArrayList<String>();
    items.forEach(item -> sellOut(item, breaches));
    return breaches;
  }

  long sold() {
    return sold;
  }

  private void sellOut(Item item, List<String> breaches) {
    Answer prepared = Goods.giveTime(item);
    if (prepared.status() != 200) {
      breaches.add("%s: cannot change the time to pay: %s".formatted(item.name(), prepared));
      return;
    }
    long available = item.sale().ledger().available();
    long bought = 0;
    var others = new ArrayList<String>();
    for (int vain = 0; bought < available && vain < ROUNDS_IN_VAIN_MAX; vain++) {
      List<Answer> answers = site.crowd(VISITORS).send(wishes(item));
      long yes = answers.stream().filter(Answer::isYes).count();
      answers.stream().filter(answer -> !expected(answer)).forEach(a -> others.add(a.toString()));
      bought += yes;
      vain = yes > 0 ? 0 : vain;
    }
    Answer oneMore = site.crowd(1).send(wishes(item).subList(0, 1)).get(0);
    sold += bought;
    if (bought != available || !oneMore.brief().equals("409 sold-out") || !others.isEmpty()) {
      breaches.add(
          "%s: %d available in the ledger, %d could be bought, then: %s; other answers: %s"
              .formatted(item.name(), available, bought, oneMore, others));
    }
  }

  private List<Supplier<Future<Answer>>> wishes(Item item) {
    return IntStream.range(0, ROUND)
        .mapToObj(i -> new Buyer("last-" + number++))
        .<Supplier<Future<Answer>>>map(buyer -> () -> item.sale().ordering(buyer, "last", 1))
        .toList();
  }

  /** With several buckets, an empty one answers {@code busy} while another one has a unit. */
  private static boolean expected(Answer answer) {
    return answer.isYes()
        || answer.brief().equals("409 sold-out")
        || answer.brief().equals("503 busy");
  }
}
