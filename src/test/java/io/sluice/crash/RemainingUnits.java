package io.sluice.crash;

import io.sluice.model.BucketId;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The units that the ledger shows as available after a round, and orders that take them all. */
record RemainingUnits(Sale sale) {
  List<Supplier<Future<Answer>>> orders() {
    return buckets(sale)
        .filter(bucket -> available(bucket) > 0)
        .<Supplier<Future<Answer>>>map(bucket -> () -> order(bucket))
        .toList();
  }

  private Future<Answer> order(JsonObject bucket) {
    Buyer buyer = buyerOf(sale.skuId(), bucket.getInteger("bucket"));
    return sale.ordering(buyer, "rest-" + System.nanoTime(), available(bucket));
  }

  static Stream<JsonObject> buckets(Sale sale) {
    return sale.look().json().getJsonArray("per_bucket").stream().map(JsonObject.class::cast);
  }

  private static int available(JsonObject bucket) {
    return bucket.getJsonObject("ledger").getInteger("available");
  }

  private static Buyer buyerOf(long skuId, int bucket) {
    return IntStream.range(0, 10_000)
        .mapToObj(i -> "rest-" + i)
        .filter(name -> BucketId.of(skuId, name, Stage.BUCKETS).bucket() == bucket)
        .map(Buyer::named)
        .findFirst()
        .orElseThrow();
  }
}
