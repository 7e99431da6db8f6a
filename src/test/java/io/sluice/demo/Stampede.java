package io.sluice.demo;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Crowd;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Many more buyers than units, all at once. */
final class Stampede {
  /** A buyer's next step after a yes. */
  private enum Mood {
    PAYS,
    CANCELS,
    FORGETS
  }

  private static final int CLIENT_THREADS = 2;
  private static final int CONNECTIONS = 128;
  private static final int PAYING_PERCENT = 85;
  private static final int CANCELING_PERCENT = 5;

  /** The share of buyers who send the same request a second time. */
  private static final int RETRYING_PERCENT = 10;

  private static final String KEY = "demo";
  private static final long SEED = 20_000;

  private final Shop shop;
  private final Tally tally;
  private final List<Buyer> buyers;
  private final Queue<Future<Answer>> ends = new ConcurrentLinkedQueue<>();
  private final AtomicLong served = new AtomicLong();

  Stampede(Shop shop, Tally tally, int buyers) {
    this.shop = shop;
    this.tally = tally;
    this.buyers = Buyer.crowd(buyers);
  }

  /**
   * Sends the requests of all buyers and returns how long it took to answer them. A buyer who got a
   * unit makes room for the next one at once; payments and cancels run in parallel.
   */
  Duration run(Vertx vertx) {
    Random random = new Random(SEED);
    List<Supplier<Future<Answer>>> visits =
        IntStream.range(0, buyers.size())
            .<Supplier<Future<Answer>>>mapToObj(i -> visit(buyers.get(i), random))
            .toList();
    long startNs = System.nanoTime();
    new Crowd(vertx, CLIENT_THREADS, CONNECTIONS).send(visits);
    Duration took = Duration.ofNanos(System.nanoTime() - startNs);
    Crowd.await(Future.all(List.copyOf(ends)).map(all -> all.list()));
    return took;
  }

  long served() {
    return served.get();
  }

  private Supplier<Future<Answer>> visit(Buyer buyer, Random random) {
    boolean retries = random.nextInt(100) < RETRYING_PERCENT;
    int mood = random.nextInt(100);
    Mood then =
        mood < PAYING_PERCENT
            ? Mood.PAYS
            : mood < PAYING_PERCENT + CANCELING_PERCENT ? Mood.CANCELS : Mood.FORGETS;
    return () -> visit(buyer, retries, then).onComplete(any -> served.incrementAndGet());
  }

  private Future<Answer> visit(Buyer buyer, boolean retries, Mood then) {
    Future<Answer> first = shop.order(buyer, KEY).onSuccess(tally::heard);
    Future<Answer> last = retries ? first.compose(answer -> again(buyer, answer)) : first;
    return last.onSuccess(answer -> end(buyer, answer, then));
  }

  private Future<Answer> again(Buyer buyer, Answer first) {
    return shop.order(buyer, KEY).onSuccess(again -> tally.heardAgain(first, again));
  }

  private void end(Buyer buyer, Answer answer, Mood then) {
    if (answer.isYes() && then == Mood.PAYS) {
      ends.add(shop.pay(answer.token()).onSuccess(end -> tally.ended("paying", end)));
    } else if (answer.isYes() && then == Mood.CANCELS) {
      ends.add(shop.cancel(buyer, answer.token()).onSuccess(end -> tally.ended("canceling", end)));
    }
  }
}
