package io.sluice.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The units that the ledger shows as available after a round, and orders that take them all. */
record RemainingUnits(Sale sale) {
  /**
   * Orders them, and returns whether there were none. Units may move to where others were just
   * bought, and the ledger learns of a purchase a moment later: what is left is ordered again.
   */
  boolean areBought(Function<List<Supplier<Future<Answer>>>, List<Answer>> crowd) {
    List<Supplier<Future<Answer>>> orders = orders();
    if (!orders.isEmpty()) {
      assertThat(crowd.apply(orders))
          .as("buying out %s", sale.skuId())
          .allMatch(answer -> answer.isYes() || isNotHere(answer));
    }
    return orders.isEmpty();
  }

  private static boolean isNotHere(Answer answer) {
    return Set.of("busy", "sold-out").contains(String.valueOf(answer.problem()));
  }

  private List<Supplier<Future<Answer>>> orders() {
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
