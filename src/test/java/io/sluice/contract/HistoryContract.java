package io.sluice.contract;

import static io.sluice.contract.StockUnderTest.TERM;
import static io.sluice.contract.StockUnderTest.await;
import static io.sluice.contract.StockUnderTest.request;
import static io.sluice.contract.StockUnderTest.token;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.TermContract.OwnerCall;
import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.Stamp;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How a store shows that its data are others: after writes, and where writes were lost. */
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
    BucketCode code = await(call.by(TERM, unit().store(), bucket, unit().markOf(bucket)));

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
      names = {"LOAD", "LOAD_PAGE", "OPEN", "UNLOAD"})
  default void shouldEndTheRebuildWhenWritesWereLost(OwnerCall call) {
    // given
    BucketId bucket = unit().headedBucket();
    unit().loseWrites(bucket);

    // when
    BucketCode code = await(call.by(TERM, unit().store(), bucket, unit().markOf(bucket)));

    // then
    assertThat(code).isEqualTo(BucketCode.SUPERSEDED);
  }

  /** Owners look for nothing in a Redis that has written nothing. */
  @Test
  default void shouldHaveAnotherStampWheneverSomethingWasWritten() {
    // given
    StockStore store = unit().store();
    BucketId bucket = unit().openBucket(10);
    List<Stamp> stamps = new ArrayList<>(List.of(await(store.stamp())));

    // when
    Grant one = unit().grant(bucket, request(bucket, 1, 1));
    stamps.add(await(store.stamp()));
    unit().book(one);
    stamps.add(await(store.stamp()));
    unit().release(one);
    stamps.add(await(store.stamp()));
    await(store.freeze(bucket, TERM));
    stamps.add(await(store.stamp()));

    // then
    assertThat(stamps).doesNotHaveDuplicates();
    assertThat(stamps).extracting(Stamp::history).containsOnly(unit().history());
  }

  @Test
  default void shouldHaveTheSameStampAfterReading() {
    // given
    StockStore store = unit().store();
    BucketId bucket = unit().openBucket(10);
    Grant grant = unit().grant(bucket, request(bucket, 1, 1));
    Stamp before = await(store.stamp());

    // when
    await(store.areQuiet(List.of(bucket)));
    await(store.lookup(bucket, List.of(grant.token())));
    await(store.overdue(bucket, 0, 10));
    await(store.tokens(bucket, StockStore.FIRST_PAGE, 10));
    unit().snapshot(bucket);

    // then
    assertThat(await(store.stamp()).isUnchangedSince(before)).isTrue();
  }
}
