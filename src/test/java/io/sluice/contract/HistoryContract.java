package io.sluice.contract;

import static io.sluice.contract.StockUnderTest.TERM;
import static io.sluice.contract.StockUnderTest.await;
import static io.sluice.contract.StockUnderTest.request;
import static io.sluice.contract.StockUnderTest.token;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.TermContract.OwnerCall;
import io.sluice.model.BucketId;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Buckets in a Redis process that was a replica in between, and so has lost writes. */
interface HistoryContract extends StockContract {

  @Test
  default void shouldVouchForNothingWhenWritesWereLost() {
    // given
    BucketId bucket = unit().openBucket(1);
    StockStore store = unit().store();
    unit().grant(bucket, request(bucket, 1, 1));
    unit().loseWrites(bucket);

    // when
    var codes =
        List.of(
            unit().reserveReply(bucket, request(bucket, 1, 1)).code(),
            await(store.lookup(bucket, List.of(token(bucket, 1)))).code(),
            await(store.tokens(bucket, StockStore.FIRST_PAGE, 10)).code(),
            await(store.overdue(bucket, 0, 10)).code(),
            unit().snapshot(bucket).code());

    // then
    assertThat(codes).containsOnly(BucketCode.LOST);
  }

  @ParameterizedTest
  @EnumSource(
      value = OwnerCall.class,
      names = {"BOOK", "RELEASE", "RESTOCK", "TAKE"})
  default void shouldChangeNothingWhenWritesWereLost(OwnerCall call) {
    // given
    BucketId bucket = unit().openBucket(3);
    unit().grant(bucket, request(bucket, 1, 1));
    unit().loseWrites(bucket);

    // when
    BucketCode code = await(call.by(TERM, unit().store(), bucket, unit().firstMark()));

    // then
    assertThat(code).isEqualTo(call == OwnerCall.BOOK ? BucketCode.OK : BucketCode.LOST);
    unit().find(bucket);
    assertThat(unit().snapshot(bucket))
        .extracting("total", "claimed", "released", "unbookedCount")
        .containsExactly(3L, 1L, 0L, 1L);
  }

  @ParameterizedTest
  @EnumSource(
      value = OwnerCall.class,
      names = {"LOAD", "LOAD_PAGE", "OPEN"})
  default void shouldEndTheRebuildWhenWritesWereLost(OwnerCall call) {
    // given
    BucketId bucket = unit().headedBucket();
    unit().loseWrites(bucket);

    // when
    BucketCode code = await(call.by(TERM, unit().store(), bucket, unit().firstMark()));

    // then
    assertThat(code).isEqualTo(BucketCode.SUPERSEDED);
  }
}
