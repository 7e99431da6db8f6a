package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.model.OrderToken;
import io.sluice.model.OrderTokens;
import io.sluice.stock.StockStore.Request;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class UnreadLogTest {
  private static final int BUCKETS = 3;

  private final OwnerScene scene = OwnerScene.withStock(10);

  /** The first bucket that is rebuilt does not vouch for the others. */
  @Test
  void shouldBookWhatOnlyRedisKnowsInEachBucketWhenRecordsWereLost() {
    // given
    scene.addSku(BUCKETS);
    List<OrderToken> granted = IntStream.range(0, BUCKETS).mapToObj(this::grantIn).toList();
    scene.log.appendRaw(OwnerScene.PARTITION, new byte[0]);
    long end = scene.log.endOffset(OwnerScene.PARTITION).result();
    scene.log.forgetBefore(OwnerScene.PARTITION, end);
    scene.ledger.skipLost(
        OwnerScene.PARTITION,
        scene.ledger.fences().result().get(OwnerScene.PARTITION).nextOffset(),
        end);

    // when
    scene.takeOver();
    scene.serveRequests();
    scene.settle();

    // then
    assertThat(scene.ledger.orders(granted).result()).containsOnlyKeys(granted);
    assertThat(buckets())
        .allMatch(id -> scene.ledger.bucket(id).result().orElseThrow().epoch() > 2);
  }

  private OrderToken grantIn(int bucket) {
    BucketId id = new BucketId(OwnerScene.BUCKET.skuId() + 1, bucket);
    OrderToken token = new OrderTokens(new byte[16]).tokenFor("buyer" + bucket, id, null);
    scene.stock.reserve(id, List.of(new Request(token, "buyer" + bucket, 1)));
    return token;
  }

  private static Stream<BucketId> buckets() {
    return IntStream.range(0, BUCKETS)
        .mapToObj(bucket -> new BucketId(OwnerScene.BUCKET.skuId() + 1, bucket));
  }
}
