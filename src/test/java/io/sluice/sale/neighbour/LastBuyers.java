package io.sluice.sale.neighbour;

import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * New buyers, in rounds, until all of a round hear that everything is sold. A buyer belongs to one
 * bucket: where that one is empty, the answer is busy as long as another has units.
 */
final class LastBuyers {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int ROUND = 100;
  private static final int VISITORS = 32;
  private static final String KEY = "last";
  private static final String SOLD_OUT = "409 sold-out";

  private final SaleSite site;
  private final Sale sale;
  private final Map<Buyer, String> tokens = new LinkedHashMap<>();
  private final Set<Buyer> undecided = new LinkedHashSet<>();
  private final List<Answer> unexpected = new ArrayList<>();
  private int arrivals;

  private LastBuyers(SaleSite site, Sale sale) {
    this.site = site;
    this.sale = sale;
  }

  /** Returns once all is sold, and each of them knows what it got. */
  static LastBuyers of(SaleSite site, Sale sale) {
    var buyers = new LastBuyers(site, sale);
    await().atMost(LIMIT).until(buyers::hearThatAllIsSold);
    await().atMost(LIMIT).until(buyers::know);
    return buyers;
  }

  private boolean hearThatAllIsSold() {
    List<Buyer> newcomers =
        Stream.generate(() -> Buyer.named("last-" + arrivals++)).limit(ROUND).toList();
    return ask(newcomers).stream().allMatch(answer -> answer.brief().equals(SOLD_OUT));
  }

  private boolean know() {
    if (!undecided.isEmpty()) {
      ask(List.copyOf(undecided));
    }
    return undecided.isEmpty();
  }

  private List<Answer> ask(List<Buyer> buyers) {
    List<Answer> answers = site.crowd(VISITORS).send(requests(buyers));
    for (int i = 0; i < buyers.size(); i++) {
      hear(buyers.get(i), answers.get(i));
    }
    return answers;
  }

  private void hear(Buyer buyer, Answer answer) {
    undecided.remove(buyer);
    if (answer.isYes()) {
      tokens.put(buyer, answer.token());
    } else if (!answer.came() || answer.status() == 503) {
      undecided.add(buyer);
    } else if (!answer.brief().equals(SOLD_OUT)) {
      unexpected.add(answer);
    }
  }

  private List<Supplier<Future<Answer>>> requests(Collection<Buyer> buyers) {
    return buyers.stream()
        .<Supplier<Future<Answer>>>map(buyer -> () -> sale.ordering(buyer, KEY, 1))
        .toList();
  }

  /** Those who got a unit send their requests once more. */
  List<Answer> askAgain() {
    return site.crowd(VISITORS).send(requests(tokens.keySet()));
  }

  /** Their back office confirms all orders. */
  List<Answer> pay() {
    return site.crowd(VISITORS).send(tokens.values(), token -> sale.paying(token));
  }

  /** The orders of those who got a unit. */
  List<String> tokens() {
    return List.copyOf(tokens.values());
  }

  /** Answers that no buyer can explain; none in a sound system. */
  List<Answer> unexpected() {
    return unexpected;
  }
}
