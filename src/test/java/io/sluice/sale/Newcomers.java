package io.sluice.sale;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** An unlimited supply of new buyers, each with an order of one unit. */
public final class Newcomers {
  private final AtomicInteger arrivals = new AtomicInteger();

  /** The order of the next buyer, chosen when the request is sent. */
  public Supplier<Future<Answer>> order(Sale sale) {
    return () -> sale.ordering(Buyer.named("buyer-" + arrivals.incrementAndGet()), "k1", 1);
  }

  public List<Supplier<Future<Answer>>> orders(Sale sale, int count) {
    return IntStream.range(0, count).mapToObj(i -> order(sale)).toList();
  }

  /** The answer to the next buyer. */
  public String brief(Sale sale) {
    return order(sale).get().await().brief();
  }

  /** The tokens of all granted orders. */
  public static List<String> yeses(List<Answer> answers) {
    return answers.stream().filter(Answer::isYes).map(Answer::token).toList();
  }
}
