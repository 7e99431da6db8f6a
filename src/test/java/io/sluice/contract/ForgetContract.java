package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.ArchiveRequests.ArchiveResult;
import io.sluice.ledger.ArchiveRequests.Forgotten;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.SkuState;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The id of a buyer is replaced in the orders of ended sales, and stays in the others. */
abstract class ForgetContract extends LedgerScene {
  private static final AtomicInteger LAST_BUYER = new AtomicInteger(50_000);
  private static final int STEPS_MAX = 1_000;

  private final int buyer = LAST_BUYER.incrementAndGet();

  private OrderToken confirmed(BucketId bucket) {
    Grant grant = grant(bucket, buyer);
    read(bucket, reserve(grant));
    apply(bucket, new Command.Confirm(grant.token(), null));
    return grant.token();
  }

  private BucketId in(SkuState state) {
    BucketId bucket = sku(10);
    inSale(bucket.skuId(), 0, state);
    return bucket;
  }

  private BucketId archived() {
    BucketId bucket = in(SkuState.OPEN);
    confirmed(bucket);
    inSale(bucket.skuId(), 0, SkuState.ENDED);
    while (!(get(skus().archive(bucket.skuId())) instanceof ArchiveResult.Done)) {
      get(ledger().archiveNext(100));
    }
    return bucket;
  }

  private Forgotten forget(String pseudonym, int rowsMax) {
    String userId = Buyers.of(buyer);
    Forgotten now = get(skus().forget(userId, pseudonym));
    for (int step = 0; !now.done() && step < STEPS_MAX; step++) {
      get(ledger().forgetNext(rowsMax));
      now = get(skus().forget(userId, "other"));
    }
    assertThat(now.done()).isTrue();
    return now;
  }

  @Test
  void shouldReplaceTheIdInOrdersOfEndedSalesAlone() {
    // given
    BucketId ended = in(SkuState.OPEN);
    OrderToken sold = confirmed(ended);
    Grant others = grant(ended, 1);
    read(ended, reserve(others));
    apply(ended, new Command.Confirm(others.token(), null));
    Grant tooMany = grant(ended, buyer + 1_000_000, 100);
    read(ended, reserve(tooMany));
    inSale(ended.skuId(), 0, SkuState.ENDED);
    OrderToken running = confirmed(in(SkuState.CLOSED));
    BucketId archive = archived();
    OrderToken archived = grant(archive, buyer).token();
    Order before = order(sold);

    // when
    Forgotten forgotten = forget("nobody-1", 3);

    // then
    assertThat(forgotten).isEqualTo(new Forgotten("nobody-1", 2, 1, true));
    assertThat(order(sold)).isEqualTo(before.of("nobody-1"));
    assertThat(order(archived).userId()).isEqualTo("nobody-1");
    assertThat(order(running).userId()).isEqualTo(Buyers.of(buyer));
    assertThat(order(others.token()).userId()).isEqualTo(Buyers.of(1));
    assertThat(order(tooMany.token()).userId()).isEqualTo(Buyers.of(buyer + 1_000_000));
  }

  @Test
  void shouldReplaceTheIdInRejectedOrders() {
    // given
    BucketId ended = in(SkuState.OPEN);
    Grant tooMany = grant(ended, buyer, 100);
    read(ended, reserve(tooMany));
    apply(ended, new Command.Confirm(tooMany.token(), "late"));
    inSale(ended.skuId(), 0, SkuState.ENDED);
    Order before = order(tooMany.token());

    // when
    Forgotten forgotten = forget("nobody-2", 1_000);

    // then
    assertThat(forgotten.left()).isZero();
    assertThat(order(tooMany.token())).isEqualTo(before.of("nobody-2"));
  }

  @Test
  void shouldLeaveAnOrderThatHasNotEnded() {
    // given
    BucketId ended = in(SkuState.OPEN);
    Grant pending = grant(ended, buyer);
    read(ended, reserve(pending));
    inSale(ended.skuId(), 0, SkuState.ENDED);

    // when
    Forgotten forgotten = forget("nobody-3", 1_000);

    // then
    assertThat(forgotten).isEqualTo(new Forgotten("nobody-3", 0, 1, true));
    assertThat(order(pending.token()).userId()).isEqualTo(Buyers.of(buyer));
  }

  @Test
  void shouldFindNothingMoreWhenRepeated() {
    // given
    OrderToken archived = grant(archived(), buyer).token();
    forget("nobody-4", 1_000);

    // when
    Forgotten again = forget("nobody-5", 1_000);

    // then
    assertThat(again).isEqualTo(new Forgotten("nobody-5", 0, 0, true));
    assertThat(order(archived).userId()).isEqualTo("nobody-4");
  }

  @Test
  void shouldReplaceTheIdInOrdersOfAnEarlierSaleAlone() {
    // given
    BucketId bucket = sku(10);
    Grant earlier = grantOfSale(bucket, buyer, 1, 1);
    read(bucket, reserve(earlier));
    apply(bucket, new Command.Confirm(earlier.token(), null));
    get(ledger().raiseEpoch(own(bucket), bucket, 1));
    inSale(bucket.skuId(), 2, SkuState.OPEN);
    Grant later = grantOfSale(bucket, buyer, 2, row(bucket).epoch());
    read(bucket, reserve(later));
    apply(bucket, new Command.Confirm(later.token(), null));

    // when
    Forgotten forgotten = forget("nobody-6", 1_000);

    // then
    assertThat(forgotten).isEqualTo(new Forgotten("nobody-6", 1, 1, true));
    assertThat(order(earlier.token()).userId()).isEqualTo("nobody-6");
    assertThat(order(later.token()).userId()).isEqualTo(Buyers.of(buyer));
  }
}
