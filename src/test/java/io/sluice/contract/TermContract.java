package io.sluice.contract;

import static io.sluice.contract.StockUnderTest.EPOCH;
import static io.sluice.contract.StockUnderTest.FREE_FOR_ALL;
import static io.sluice.contract.StockUnderTest.NOTHING_BOOKED;
import static io.sluice.contract.StockUnderTest.TERM;
import static io.sluice.contract.StockUnderTest.VERSION;
import static io.sluice.contract.StockUnderTest.await;
import static io.sluice.contract.StockUnderTest.request;
import static io.sluice.contract.StockUnderTest.token;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.SkuState;
import io.sluice.stock.BucketCode;
import io.sluice.stock.Recorded;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.BucketTotal;
import io.sluice.stock.StockStore.LoadHead;
import io.sluice.stock.StockStore.Release;
import io.sluice.stock.StockStore.Snapshot;
import io.sluice.stock.StockStore.Take;
import io.vertx.core.Future;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A former owner of the partition can no longer change anything. */
interface TermContract extends StockContract {
  /** Every call that carries a term, as an owner of that term would make it. */
  enum OwnerCall {
    BOOK {
      @Override
      Future<BucketCode> by(long term, StockStore store, BucketId bucket, String mark) {
        return store.book(bucket, term, NOTHING_BOOKED, List.of(token(bucket, 1)));
      }
    },
    RELEASE {
      @Override
      Future<BucketCode> by(long term, StockStore store, BucketId bucket, String mark) {
        return store.release(bucket, term, List.of(new Release(token(bucket, 1), EPOCH, 1, 0)));
      }
    },
    RESTOCK {
      @Override
      Future<BucketCode> by(long term, StockStore store, BucketId bucket, String mark) {
        return store.restock(
            bucket, term, new BucketTotal(VERSION + 1, 60, SkuState.OPEN, FREE_FOR_ALL));
      }
    },
    TAKE {
      @Override
      Future<BucketCode> by(long term, StockStore store, BucketId bucket, String mark) {
        return store.take(bucket, term, new Take(7, EPOCH, VERSION, 1));
      }
    },
    FREEZE {
      @Override
      Future<BucketCode> by(long term, StockStore store, BucketId bucket, String mark) {
        return store.freeze(bucket, term).map(StockStore.Frozen::code);
      }
    },
    LOAD {
      @Override
      Future<BucketCode> by(long term, StockStore store, BucketId bucket, String mark) {
        BucketTotal ceiling = new BucketTotal(VERSION + 1, 60, SkuState.OPEN, FREE_FOR_ALL);
        return store.load(bucket, term, mark, new LoadHead(EPOCH + 1, 0, ceiling, 0));
      }
    },
    LOAD_PAGE {
      @Override
      Future<BucketCode> by(long term, StockStore store, BucketId bucket, String mark) {
        Grant grant = Grants.of(token(bucket, 2), "bob", 1, 1, EPOCH, 1, 1);
        return store.loadPage(bucket, term, mark, List.of(new Recorded(grant, true, false)));
      }
    },
    OPEN {
      @Override
      Future<BucketCode> by(long term, StockStore store, BucketId bucket, String mark) {
        return store.open(bucket, term, mark);
      }
    },
    UNLOAD {
      @Override
      Future<BucketCode> by(long term, StockStore store, BucketId bucket, String mark) {
        return store.unload(bucket, term, mark);
      }
    };

    abstract Future<BucketCode> by(long term, StockStore store, BucketId bucket, String mark);
  }

  @ParameterizedTest
  @EnumSource
  default void shouldRefuseALowerTermWhenTheBucketIsOpen(OwnerCall call) {
    // given
    BucketId bucket = unit().openBucket(10);
    unit().grant(bucket, request(bucket, 1, 1));
    Snapshot before = unit().snapshot(bucket);

    // when
    var code = await(call.by(TERM - 1, unit().store(), bucket, unit().markOf(bucket)));

    // then
    assertThat(code).isEqualTo(BucketCode.STALE_TERM);
    unit().expectSame(bucket, before);
  }

  @ParameterizedTest
  @EnumSource
  default void shouldRefuseALowerTermWhenTheBucketIsAway(OwnerCall call) {
    // given
    BucketId loading = unit().loadingBucket(10);
    BucketId lost = unit().lostBucket(10);

    // when
    var whileLoading = await(call.by(TERM - 1, unit().store(), loading, unit().markOf(loading)));
    var whileLost = await(call.by(TERM - 1, unit().store(), lost, unit().markOf(lost)));

    // then
    assertThat(List.of(whileLoading, whileLost)).containsOnly(BucketCode.STALE_TERM);
    assertThat(unit().snapshot(loading).code()).isEqualTo(BucketCode.LOADING);
    assertThat(unit().snapshot(lost).code()).isEqualTo(BucketCode.LOST);
  }

  @ParameterizedTest
  @EnumSource(
      value = OwnerCall.class,
      names = {"BOOK", "RELEASE", "RESTOCK", "TAKE"})
  default void shouldKeepTheTermWhenItIsHigher(OwnerCall call) {
    // given
    BucketId bucket = unit().openBucket(10);
    unit().grant(bucket, request(bucket, 1, 1));

    // when
    var code = await(call.by(TERM + 1, unit().store(), bucket, unit().markOf(bucket)));

    // then
    assertThat(code).isEqualTo(BucketCode.OK);
    assertThat(unit().snapshot(bucket).term()).isEqualTo(TERM + 1);
    assertThat(await(call.by(TERM, unit().store(), bucket, unit().markOf(bucket))))
        .isEqualTo(BucketCode.STALE_TERM);
  }

  @Test
  default void shouldKeepTheHigherTermWhenThereIsNothingElseToChange() {
    // given
    BucketId bucket = unit().openBucket(10);
    BucketTotal old = new BucketTotal(VERSION, 60, SkuState.OPEN, FREE_FOR_ALL);

    // when
    var booked =
        await(unit().store().book(bucket, TERM + 1, NOTHING_BOOKED, List.of(token(bucket, 1))));
    long afterBook = unit().snapshot(bucket).term();
    var restocked = await(unit().store().restock(bucket, TERM + 2, old));
    long afterRestock = unit().snapshot(bucket).term();
    var taken = await(unit().store().take(bucket, TERM + 3, new Take(7, EPOCH, VERSION, 11)));

    // then
    assertThat(List.of(booked, restocked, taken))
        .containsExactly(BucketCode.OK, BucketCode.OK, BucketCode.TOO_FEW);
    assertThat(List.of(afterBook, afterRestock, unit().snapshot(bucket).term()))
        .containsExactly(TERM + 1, TERM + 2, TERM + 3);
  }

  @Test
  default void shouldTakeEveryCallWhenTheTermIsTheFirst() {
    // given
    BucketId bucket = unit().absentBucket();
    StockStore store = unit().store();
    String mark = await(store.freeze(bucket, 1)).mark();
    var order =
        List.of(
            OwnerCall.LOAD,
            OwnerCall.LOAD_PAGE,
            OwnerCall.OPEN,
            OwnerCall.BOOK,
            OwnerCall.RELEASE,
            OwnerCall.RESTOCK);

    // when
    var codes = order.stream().map(call -> await(call.by(1, store, bucket, mark))).toList();

    // then
    assertThat(codes).containsOnly(BucketCode.OK);
    Take take = new Take(7, EPOCH + 1, VERSION + 1, 1);
    assertThat(await(store.take(bucket, 1, take))).isEqualTo(BucketCode.OK);
    assertThat(await(store.take(bucket, 2, take))).isEqualTo(BucketCode.OK);
    assertThat(await(store.take(bucket, 1, take))).isEqualTo(BucketCode.STALE_TERM);
  }
}
