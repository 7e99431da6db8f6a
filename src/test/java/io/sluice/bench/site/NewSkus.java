package io.sluice.bench.site;

import io.sluice.bench.BenchException;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Crowd;
import io.sluice.testkit.site.HttpCaller;
import io.sluice.testkit.site.SaleBodies;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/** Creates the SKUs of a measurement over the management port. */
record NewSkus(Vertx vertx, HttpCaller caller, String adminUrl) {
  /** A time to pay that no measurement sees the end of, in seconds. */
  static final long A_DAY_S = 86_400;

  private static final int PUTS_AT_ONCE = 64;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** With consecutive ids and this many units each. */
  void put(long first, int count, long units, long paymentWindowS) {
    put(first, count, terms(units, paymentWindowS));
  }

  /** One that sells in the ledger alone. */
  void putDirect(long skuId, long units) {
    put(skuId, 1, terms(units, A_DAY_S).put("mode", "direct"));
  }

  /** One with this many buckets. */
  void putInBuckets(long skuId, long units, int buckets) {
    put(skuId, 1, terms(units, A_DAY_S).put("buckets", buckets));
  }

  private static JsonObject terms(long units, long paymentWindowS) {
    return new JsonObject().put("total_stock", units).put("payment_window_s", paymentWindowS);
  }

  private void put(long first, int count, JsonObject terms) {
    List<Supplier<Future<Answer>>> puts =
        LongStream.range(first, first + count)
            .<Supplier<Future<Answer>>>mapToObj(sku -> () -> put(sku, terms))
            .toList();
    new Crowd(vertx, 2, PUTS_AT_ONCE)
        .send(puts).stream()
            .filter(answer -> !answer.isYes())
            .findAny()
            .ifPresent(
                no -> {
                  throw new BenchException("a SKU cannot be created: " + no);
                });
  }

  /** The same as one sale with carts; returns once the service sells them. */
  void putTogether(long first, int count, long units) {
    JsonObject terms = new JsonObject().put("total_stock", units);
    List<Long> skus = LongStream.range(first, first + count).boxed().toList();
    JsonObject body =
        SaleBodies.of("carts", skus, terms).put("carts", true).put("payment_window_s", A_DAY_S);
    Call put = Call.put(adminUrl + "/admin/sales/carts-" + first).within(LIMIT).json(body);
    long endNs = System.nanoTime() + LIMIT.toNanos();
    Answer answer = caller.ask(put);
    while (!answer.isYes() && System.nanoTime() < endNs) {
      LockSupport.parkNanos(Site.POLL.toNanos());
      answer = caller.ask(put);
    }
    if (!answer.isYes()) {
      throw new BenchException("a sale with carts cannot be created: " + answer);
    }
  }

  private Future<Answer> put(long sku, JsonObject terms) {
    return caller.send(Call.put(adminUrl + "/admin/skus/" + sku).within(LIMIT).json(terms));
  }
}
