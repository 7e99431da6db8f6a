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
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Callers who repeat the same request until it is granted or refused: a 503, a 202 (the ledger is
 * late), or no answer at all, leaves the outcome open.
 */
public final class Insistence {
  private static final Duration THINKING = Duration.ofMillis(25);
  private static final Duration BEFORE_THE_NEXT_TRY = Duration.ofMillis(200);
  private static final String KEY = "k1";

  private final Sale sale;
  private final Queue<Answer> heard = new ConcurrentLinkedQueue<>();
  private final Map<Buyer, String> tokens = new ConcurrentHashMap<>();
  private final Future<List<Answer>> done;

  private Insistence(SaleSite site, Sale sale, int buyers, int visitors) {
    this.sale = sale;
    this.done = site.crowd(visitors).start(Buyer.crowd(buyers), buyer -> order(buyer));
  }

  /** This many buyers of one unit each, {@code visitors} of them at a time. */
  public static Insistence of(SaleSite site, Sale sale, int buyers, int visitors) {
    return new Insistence(site, sale, buyers, visitors);
  }

  /**
   * Repeats this request for as long as its outcome is open. Called on an event loop, like all that
   * a crowd does.
   */
  public static Future<Answer> on(Supplier<Future<Answer>> request) {
    return until(Insistence::isFinal, request);
  }

  /**
   * Repeats this request while it is answered that a grant came too late, as where the machine
   * pauses. What is {@code busy} is an answer here.
   */
  public static Future<Answer> whileUnavailable(Supplier<Future<Answer>> request) {
    return until(answer -> !answer.brief().equals("503 unavailable"), request);
  }

  private static Future<Answer> until(Predicate<Answer> enough, Supplier<Future<Answer>> request) {
    return request
        .get()
        .compose(
            answer ->
                enough.test(answer)
                    ? Future.succeededFuture(answer)
                    : pause(BEFORE_THE_NEXT_TRY).compose(now -> until(enough, request)));
  }

  private static boolean isFinal(Answer answer) {
    return answer.came() && answer.status() != 503 && answer.status() != 202;
  }

  private static Future<Void> pause(Duration time) {
    return Vertx.currentContext().owner().timer(time.toMillis(), TimeUnit.MILLISECONDS).mapEmpty();
  }

  private Future<Answer> order(Buyer buyer) {
    return pause(THINKING)
        .compose(now -> on(() -> sale.ordering(buyer, KEY, 1).onSuccess(heard::add)))
        .onSuccess(
            answer -> {
              if (answer.isYes()) {
                tokens.put(buyer, answer.token());
              }
            });
  }

  /** The number of granted requests so far. */
  public int yeses() {
    return tokens.size();
  }

  /** All answers so far, including those that leave the outcome open. */
  public List<Answer> heard() {
    return List.copyOf(heard);
  }

  /** The final answers, once every buyer has one. */
  public Future<List<Answer>> done() {
    return done;
  }

  /** The granted orders by buyer. */
  public Map<Buyer, String> tokens() {
    return Map.copyOf(tokens);
  }

  /** The same requests once more, of all buyers who got an order. */
  public List<Supplier<Future<Answer>>> again() {
    return tokens.keySet().stream()
        .<Supplier<Future<Answer>>>map(buyer -> () -> sale.ordering(buyer, KEY, 1))
        .toList();
  }
}
