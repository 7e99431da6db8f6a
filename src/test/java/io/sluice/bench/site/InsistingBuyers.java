package io.sluice.bench.site;

import io.sluice.bench.BenchException;
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
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Buyers of one unit each, who ask again until they have it. */
public record InsistingBuyers(Site site, Vertx vertx) {
  private static final int AT_ONCE = 256;
  private static final int THREADS = 2;
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Duration LIMIT = Duration.ofSeconds(10);

  /**
   * What they have heard.
   *
   * @param busy answers after which they asked again
   */
  public record Sold(double seconds, long busy) {}

  /** As many of them as there are units, each of one of these buckets. */
  public Sold buyAll(long skuId, int units, int buckets, List<Integer> few) {
    AtomicLong busy = new AtomicLong();
    List<Supplier<Future<Answer>>> all =
        IntStream.range(0, units)
            .mapToObj(i -> buyerOf(skuId, i, buckets, few.get(i % few.size())))
            .<Supplier<Future<Answer>>>map(buyer -> () -> insist(skuId, buyer, busy))
            .toList();
    long beganNs = System.nanoTime();
    List<Answer> answers = new Crowd(vertx, THREADS, AT_ONCE).send(all);
    double seconds = (System.nanoTime() - beganNs) / 1e9;
    if (!answers.stream().allMatch(Answer::isYes)) {
      throw new BenchException("Expected a unit for each, but: " + Crowd.tally(answers));
    }
    site.accepted().put(skuId, (long) units);
    return new Sold(seconds, busy.get());
  }

  private Future<Answer> insist(long skuId, String buyer, AtomicLong busy) {
    JsonObject body = new JsonObject().put("sku_id", skuId).put("qty", 1);
    Call order = Call.post(site.service().url() + "/v1/orders").header("X-User-Id", buyer);
    return site.caller()
        .send(order.within(LIMIT).json(body))
        .compose(
            answer -> {
              if (answer.status() != 503) {
                return Future.succeededFuture(answer);
              }
              busy.incrementAndGet();
              return vertx
                  .timer(PAUSE.toMillis(), TimeUnit.MILLISECONDS)
                  .compose(over -> insist(skuId, buyer, busy));
            });
  }

  private static String buyerOf(long skuId, int number, int buckets, int bucket) {
    for (int i = 0; ; i++) {
      String buyer = "b" + skuId + "-" + number + "-" + i;
      if (BucketId.of(skuId, buyer, buckets).bucket() == bucket) {
        return buyer;
      }
    }
  }
}
