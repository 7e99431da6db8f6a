package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.BucketRow;
import io.sluice.ledger.OutboxRow;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.model.BucketId;
import io.sluice.model.OrderToken;
import io.sluice.model.OrderTokens;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.BucketTotal;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the release before leaves of the total of a SKU in its buckets. */
class HeadTotalsTest {
  private static final long SKU = OwnerScene.BUCKET.skuId() + 1;

  private final OwnerScene scene = OwnerScene.withStock(10);

  HeadTotalsTest() {
    scene.addSku(2);
  }

  @Test
  void shouldTellABucketThatDoesNotKnowTheTotal() {
    // given
    restockAsTheReleaseBefore();
    List<Long> before = known();

    // when
    scene.takeOver();
    scene.settle();

    // then
    assertThat(before).containsExactly(StockStore.UNKNOWN, StockStore.UNKNOWN);
    assertThat(known()).containsExactly(4L, 4L);
  }

  /** That of its version is another one: other buckets were restocked. */
  @Test
  void shouldTellABucketThatKnowsAnEarlierTotal() {
    // given
    tell(row(1), OptionalLong.of(1));
    List<Long> before = known();

    // when
    scene.settle();

    // then
    assertThat(before).containsExactly(2L, 1L);
    assertThat(known()).containsExactly(2L, 2L);
  }

  @Test
  void shouldTellABucketThatIsSweptAllTheTime() {
    // given
    restockAsTheReleaseBefore();
    OrderToken token = new OrderTokens(new byte[16]).tokenFor("alice", row(0).id(), null);
    scene.stock.reserve(row(0).id(), List.of(new StockStore.Request(token, "alice", 1)));

    // when
    scene.takeOver();
    scene.owner.watchBuckets();

    // then
    assertThat(known()).containsExactly(4L, 4L);
  }

  @Test
  void shouldNotWriteWhereTheTotalIsKnown() {
    // given
    scene.calls.of("restock").clear();

    // when
    scene.takeOver();
    scene.settle();

    // then
    assertThat(scene.calls.of("restock")).isEmpty();
  }

  @Test
  void shouldLeaveABucketThatHasAnOlderVersionToItsOutboxRow() {
    // given
    BucketRow row = row(0);
    scene.ledger.restock(SKU, "r1", 2);

    // when
    boolean isKnown =
        BucketWatch.knowsTotal(row(0), scene.stock.snapshot(row.id(), List.of(), 0).result());

    // then
    assertThat(isKnown).isTrue();
  }

  /** It raises the version in Redis and leaves the total of the SKU as it was. */
  private void restockAsTheReleaseBefore() {
    scene.ledger.restock(SKU, "r1", 2);
    List<OutboxRow> rows =
        scene.ledger.pending(OwnerScene.PARTITION, OutboxKind.RESTOCK, 0, 100).result();
    scene.ledger.sent(rows);
    Stream.of(0, 1).forEach(bucket -> tell(row(bucket), OptionalLong.empty()));
  }

  private void tell(BucketRow row, OptionalLong skuTotal) {
    BucketTotal total =
        new BucketTotal(
            row.version(), row.allotted(), row.state().inRedis(), row.settings(), skuTotal);
    scene.stock.restock(row.id(), scene.redis().term(), total);
  }

  private BucketRow row(int bucket) {
    return scene.ledger.bucket(new BucketId(SKU, bucket)).result().orElseThrow();
  }

  private List<Long> known() {
    return Stream.of(0, 1)
        .map(bucket -> scene.stock.snapshot(row(bucket).id(), List.of(), 0).result().skuTotal())
        .toList();
  }
}
