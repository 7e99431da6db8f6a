package io.sluice.contract;

import static io.sluice.contract.StockUnderTest.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.SkuSettings;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.GrantOutcome.Granted;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.Line;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What the contracts of carts share. */
interface CartScene extends StockContract {
  String BUYER = "carol";
  SkuSettings AT_MOST_TWO = new SkuSettings(300, 2, 0, 0);

  default StockStore.Request cart(int number, String buyer, Object... bucketsAndUnits) {
    List<Line> lines = new ArrayList<>();
    for (int i = 0; i < bucketsAndUnits.length; i += 2) {
      lines.add(new Line((BucketId) bucketsAndUnits[i], (int) bucketsAndUnits[i + 1], 0));
    }
    return StockStore.Request.ofLines(
        StockUnderTest.token(lines.get(0).bucket(), number), buyer, "ref-" + number, lines);
  }

  default ReserveReply reserve(StockStore.Request... carts) {
    return await(unit().store().reserveCarts(Arrays.asList(carts)));
  }

  default GrantOutcome outcome(StockStore.Request cart) {
    return reserve(cart).outcomes().get(0);
  }

  default Grant grant(StockStore.Request cart) {
    GrantOutcome outcome = outcome(cart);
    if (outcome instanceof Granted granted) {
      return granted.grant();
    }
    throw new AssertionError("Expected a grant of " + cart + ", but got " + outcome);
  }

  default void expectUntouched(BucketId bucket) {
    assertThat(unit().snapshot(bucket).claimed()).isZero();
    assertThat(unit().snapshot(bucket).unbookedCount()).isZero();
  }

  /** So many buckets on sale, with ten units each. */
  default List<BucketId> openTen(int buckets) {
    return IntStream.range(0, buckets).mapToObj(bucket -> unit().openBucket(10)).toList();
  }

  /** A request for so many units of each bucket: of one alone, or a cart. */
  default StockStore.Request ofEach(List<BucketId> buckets, int number, String buyer, int qty) {
    return buckets.size() == 1
        ? StockUnderTest.request(buckets.get(0), number, buyer, qty)
        : cart(
            number, buyer, buckets.stream().flatMap(id -> Stream.of(id, (Object) qty)).toArray());
  }

  /** The outcomes of requests that are all for one bucket, or all carts. */
  default List<GrantOutcome> decide(StockStore.Request... requests) {
    return requests[0].lines().size() == 1
        ? unit().reserve(requests[0].token().bucketId(), requests)
        : reserve(requests).outcomes();
  }
}
