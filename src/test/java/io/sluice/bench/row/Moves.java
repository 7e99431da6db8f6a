package io.sluice.bench.row;

import io.sluice.bench.BenchException;
import io.sluice.bench.Figure;
import io.sluice.bench.Measurement;
import io.sluice.bench.Result;
import io.sluice.bench.site.Site;
import io.sluice.model.BucketId;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Crowd;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * 10,000 units of 16 buckets are sold to buyers of three of them, who ask again every 100 ms while
 * they hear {@code busy}. The rate is that of sold units, beside the same units in one bucket.
 */
public final class Moves implements Measurement {
  private static final int UNITS = 10_000;
  private static final int BUCKETS = 16;
  private static final List<Integer> FEW = List.of(2, 7, 11);
  private static final int AT_ONCE = 256;
  private static final int THREADS = 2;
  private static final int PAUSE_MS = 100;
  private static final int BUSY = 503;
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final Site site;
  private final Consumer<String> step;
  private final Vertx vertx = Vertx.vertx();

  private Moves(Site site, Consumer<String> step) {
    this.site = site;
    this.step = step;
    step.accept("warming up");
    sold(1, List.of(0), new Result());
    sold(BUCKETS, FEW, new Result());
  }

  public static Maker ofUnits() {
    return (site, plan, step) -> new Moves(site, step);
  }

  @Override
  public void run(Result result) {
    step.accept("one bucket");
    double one = sold(1, List.of(0), result);
    step.accept("%d buckets, through %d of them".formatted(BUCKETS, FEW.size()));
    double many = sold(BUCKETS, FEW, result);
    result.add(Figure.RATE, many);
    result.add(Figure.RATIO, many / one);
  }

  /** As many buyers as there are units; returns the units sold a second. */
  private double sold(int buckets, List<Integer> few, Result result) {
    site.drain();
    long sku = site.newSkuOf(buckets, UNITS);
    AtomicLong busy = new AtomicLong();
    List<Supplier<Future<Answer>>> all =
        IntStream.range(0, UNITS)
            .mapToObj(i -> buyerOf(sku, i, buckets, few.get(i % few.size())))
            .<Supplier<Future<Answer>>>map(buyer -> () -> insist(sku, buyer, busy))
            .toList();
    long beganNs = System.nanoTime();
    List<Answer> answers = new Crowd(vertx, THREADS, AT_ONCE).send(all);
    double seconds = (System.nanoTime() - beganNs) / 1e9;
    answers.forEach(answer -> site.books().note(sku, answer.isYes()));
    if (!answers.stream().allMatch(Answer::isYes)) {
      throw new BenchException("Expected a unit for each, but: " + Crowd.tally(answers));
    }
    result.note("%d buckets: %,d answers were busy".formatted(buckets, busy.get()));
    return UNITS / seconds;
  }

  private Future<Answer> insist(long sku, String buyer, AtomicLong busy) {
    JsonObject body = new JsonObject().put("sku_id", sku).put("qty", 1);
    Call order = Call.post(site.service().url() + "/v1/orders").header("X-User-Id", buyer);
    return site.caller()
        .send(order.within(LIMIT).json(body))
        .compose(
            answer -> {
              if (answer.status() != BUSY) {
                return Future.succeededFuture(answer);
              }
              busy.incrementAndGet();
              return vertx
                  .timer(PAUSE_MS, TimeUnit.MILLISECONDS)
                  .compose(over -> insist(sku, buyer, busy));
            });
  }

  private static String buyerOf(long sku, int number, int buckets, int bucket) {
    for (int i = 0; ; i++) {
      String buyer = "b" + sku + "-" + number + "-" + i;
      if (BucketId.of(sku, buyer, buckets).bucket() == bucket) {
        return buyer;
      }
    }
  }

  @Override
  public void close() {
    vertx.close();
  }
}
