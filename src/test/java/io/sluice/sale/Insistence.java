package io.sluice.sale;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Buyers who repeat the same request until it is granted or refused: a 503, or no answer at all,
 * leaves the outcome open.
 */
final class Insistence {
  private static final Duration THINKING = Duration.ofMillis(25);
  private static final Duration BEFORE_THE_NEXT_TRY = Duration.ofMillis(200);
  private static final String KEY = "k1";

  private final Sale sale;
  private final Queue<Answer> heard = new ConcurrentLinkedQueue<>();
  private final Map<Buyer, String> tokens = new ConcurrentHashMap<>();
  private final Future<List<Answer>> done;

  private Insistence(SaleSite site, Sale sale, int buyers, int visitors) {
    this.sale = sale;
    this.done =
        site.crowd(visitors)
            .start(
                Buyer.crowd(buyers).stream()
                    .<Supplier<Future<Answer>>>map(buyer -> () -> think(THINKING, buyer))
                    .toList());
  }

  /** This many buyers of one unit each, {@code visitors} of them at a time. */
  static Insistence of(SaleSite site, Sale sale, int buyers, int visitors) {
    return new Insistence(site, sale, buyers, visitors);
  }

  private Future<Answer> think(Duration pause, Buyer buyer) {
    return Vertx.currentContext()
        .owner()
        .timer(pause.toMillis(), TimeUnit.MILLISECONDS)
        .compose(now -> sale.ordering(buyer, KEY, 1))
        .compose(answer -> hear(buyer, answer));
  }

  private Future<Answer> hear(Buyer buyer, Answer answer) {
    heard.add(answer);
    if (!answer.came() || answer.status() == 503) {
      return think(BEFORE_THE_NEXT_TRY, buyer);
    }
    if (answer.isYes()) {
      tokens.put(buyer, answer.token());
    }
    return Future.succeededFuture(answer);
  }

  /** The number of granted requests so far. */
  int yeses() {
    return tokens.size();
  }

  /** All answers so far, including those that leave the outcome open. */
  List<Answer> heard() {
    return List.copyOf(heard);
  }

  /** The final answers, once every buyer has one. */
  Future<List<Answer>> done() {
    return done;
  }

  /** The granted orders by buyer. */
  Map<Buyer, String> tokens() {
    return Map.copyOf(tokens);
  }

  /** The same requests once more, of all buyers who got an order. */
  List<Supplier<Future<Answer>>> again() {
    return tokens.keySet().stream()
        .<Supplier<Future<Answer>>>map(buyer -> () -> sale.ordering(buyer, KEY, 1))
        .toList();
  }
}
