package io.sluice.sale.hostile;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Crowd;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Orders ten times a second, whatever others do. */
final class BuyerBeside {
  private static final Duration EVERY = Duration.ofMillis(100);
  private static final int PARTS = 5;
  private static final int MANY = 2_000;

  private final String name;
  private final Vertx vertx;
  private final long timer;
  private final List<Future<Answer>> orders = new CopyOnWriteArrayList<>();

  private BuyerBeside(String name, Vertx vertx, Supplier<Future<Answer>> ordering) {
    this.name = name;
    this.vertx = vertx;
    this.timer = vertx.setPeriodic(EVERY.toMillis(), tick -> orders.add(ordering.get()));
  }

  static BuyerBeside start(String name, Vertx vertx, Supplier<Future<Answer>> ordering) {
    return new BuyerBeside(name, vertx, ordering);
  }

  /** Returns all answers that he got. */
  List<Answer> stop() {
    vertx.cancelTimer(timer);
    return Crowd.await(Future.all(orders).map(all -> all.list()));
  }

  /**
   * Of all answers where they are many. Of few, the slowest five decide, and so one pause of the
   * machine: then the median over parts of the attack.
   */
  long usualPercentile99Ms(List<Answer> answers) {
    int parts = answers.size() < MANY ? PARTS : 1;
    List<Long> found =
        IntStream.range(0, parts)
            .mapToObj(
                part ->
                    answers.subList(
                        answers.size() * part / parts, answers.size() * (part + 1) / parts))
            .map(BuyerBeside::percentile99Ms)
            .toList();
    System.out.println(name + "'s 99th percentile: " + found + " ms of " + answers.size());
    return found.stream().sorted().toList().get(parts / 2);
  }

  private static long percentile99Ms(List<Answer> answers) {
    List<Long> took = answers.stream().map(answer -> answer.took().toMillis()).sorted().toList();
    return took.get(took.size() * 99 / 100);
  }
}
