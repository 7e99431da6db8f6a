package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.OwnerRequest.RequestKind;
import io.sluice.model.BucketId;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.OrderTokens;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore.Request;
import io.sluice.testkit.process.LogWatch;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Records of the log were deleted before they were booked, and Redis has their grants. */
class WholeRebuildTest {
  private static final int BUCKETS = 3;

  private static final int MANY = 2 * UnbookedGrants.PAGE_MAX + 100;

  private final OwnerScene scene = OwnerScene.withStock(MANY + 10);

  /** Deletes the log's records, and resets the partition to go on after them. */
  private void loseAndReset() {
    long next = scene.ledger.fences().result().get(OwnerScene.PARTITION).nextOffset();
    long end = forgetAll();
    assertThat(scene.ledger.skipLost(OwnerScene.PARTITION, next, end).result()).isTrue();
    scene.takeOver();
  }

  private long forgetAll() {
    long end = scene.log.endOffset(OwnerScene.PARTITION).result();
    scene.log.forgetBefore(OwnerScene.PARTITION, end);
    return end;
  }

  @Test
  void shouldBookEveryGrantThatRedisKnowsBeforeItIsRebuilt() {
    // given
    List<String> buyers = IntStream.range(0, MANY).mapToObj(i -> "buyer" + i).toList();
    buyers.forEach(buyer -> scene.placed(buyer, 1));
    long epoch = scene.row().epoch();

    // when
    loseAndReset();
    scene.serveRequests();
    scene.settle();

    // then
    assertThat(buyers).allMatch(scene::isBooked);
    assertThat(scene.row().epoch()).isGreaterThan(epoch);
    assertThat(scene.redis().code()).isEqualTo(BucketCode.OK);
    assertThat(scene.redis().available()).isEqualTo(10);
    assertThat(scene.ledger.openRequests(List.of(OwnerScene.PARTITION), 0, 10).result()).isEmpty();
  }

  /** The first bucket that is rebuilt does not vouch for the others. */
  @Test
  void shouldBookWhatOnlyRedisKnowsInEachBucketWhenRecordsWereLost() {
    // given
    scene.addSku(BUCKETS);
    List<OrderToken> granted = IntStream.range(0, BUCKETS).mapToObj(this::grantIn).toList();
    scene.log.appendRaw(OwnerScene.PARTITION, new byte[0]);

    // when
    loseAndReset();
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

  @Test
  void shouldNotTakeTheLedgerForRestoredWhenItsLogBeginsAnew() {
    // given
    scene.placed("alice", 1);
    scene.settle();
    long epoch = scene.row().epoch();
    long next = scene.ledger.fences().result().get(OwnerScene.PARTITION).nextOffset();
    scene.ledger.skipLost(OwnerScene.PARTITION, next, 0);
    scene.known = new KnownFences();

    try (LogWatch log = LogWatch.of(KnownFences.class)) {
      // when
      scene.takeOver();
      scene.owner.watchBuckets();
      scene.serveRequests();
      scene.settle();

      // then
      assertThat(log.lines()).isEmpty();
    }
    assertThat(scene.isBooked("alice")).isTrue();
    assertThat(scene.row().epoch()).isEqualTo(epoch + 1);
    assertThat(scene.redis().available()).isEqualTo(MANY + 9);
  }

  @Test
  void shouldRebuildNothingWhileTheLogLacksWhatIsNext() {
    // given
    scene.placed("alice", 1);
    forgetAll();
    scene.ledger.request(RequestKind.REBUILD, OwnerScene.BUCKET);

    // when
    scene.serveRequests();
    scene.advance(BookingRounds.REST_MAX);

    // then
    assertThat(scene.redis().code()).isEqualTo(BucketCode.OK);
    assertThat(scene.redis().unbookedCount()).isEqualTo(1);
    long end = scene.log.endOffset(OwnerScene.PARTITION).result();
    scene.ledger.skipLost(OwnerScene.PARTITION, end - 1, end);
    scene.takeOver();
    scene.serveRequests();
    scene.settle();
    assertThat(scene.order("alice").status()).isEqualTo(OrderStatus.PENDING);
    assertThat(scene.redis().code()).isEqualTo(BucketCode.OK);
  }

  @Test
  void shouldPassNothingOverWhenTheFenceHasMoved() {
    // given
    scene.placed("alice", 1);
    scene.settle();
    long next = scene.ledger.fences().result().get(OwnerScene.PARTITION).nextOffset();

    // when
    boolean skipped = scene.ledger.skipLost(OwnerScene.PARTITION, next - 1, next + 5).result();

    // then
    assertThat(skipped).isFalse();
    assertThat(scene.ledger.fences().result().get(OwnerScene.PARTITION).nextOffset())
        .isEqualTo(next);
  }
}
