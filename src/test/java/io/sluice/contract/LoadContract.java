package io.sluice.contract;

import static io.sluice.contract.StockUnderTest.EPOCH;
import static io.sluice.contract.StockUnderTest.FREE_FOR_ALL;
import static io.sluice.contract.StockUnderTest.TERM;
import static io.sluice.contract.StockUnderTest.VERSION;
import static io.sluice.contract.StockUnderTest.await;
import static io.sluice.contract.StockUnderTest.expectOk;
import static io.sluice.contract.StockUnderTest.request;
import static io.sluice.contract.StockUnderTest.token;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.Refusal;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.sluice.stock.BucketCode;
import io.sluice.stock.GrantOutcome.Already;
import io.sluice.stock.GrantOutcome.Granted;
import io.sluice.stock.GrantOutcome.Refused;
import io.sluice.stock.Recorded;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.BookedMark;
import io.sluice.stock.StockStore.BucketTotal;
import io.sluice.stock.StockStore.LoadHead;
import io.sluice.stock.StockStore.Snapshot;
import io.sluice.stock.StockStore.Stretch;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The contents of a bucket after a rebuild. */
interface LoadContract extends StockContract {
  SkuSettings UP_TO_TWO = new SkuSettings(300, 2, 0, 0);

  @Test
  default void shouldStartFromTheLedgerWhenLoaded() {
    // given
    BucketId bucket = unit().openBucket(10, SkuState.OPEN, UP_TO_TWO);
    Grant forgotten = unit().grant(bucket, request(bucket, 1, "alice", 2));
    expectOk(unit().store().book(bucket, TERM, new Stretch(0, 70), List.of(token(bucket, 9))));
    unit().release(unit().grant(bucket, request(bucket, 2, "bob", 1)));
    SkuSettings settings = new SkuSettings(60, 2, 0, 0);
    String mark = await(unit().store().freeze(bucket, TERM + 1)).mark();
    BucketTotal ceiling = new BucketTotal(VERSION - 1, 9, SkuState.OPEN, settings);

    // when
    expectOk(unit().store().load(bucket, TERM + 1, mark, new LoadHead(EPOCH + 1, 4, ceiling, 0)));
    expectOk(unit().store().open(bucket, TERM + 1, mark));

    // then
    Snapshot seen = unit().snapshot(bucket);
    assertThat(seen)
        .isEqualTo(
            new Snapshot(
                BucketCode.OK,
                9,
                4,
                0,
                EPOCH + 1,
                VERSION - 1,
                TERM + 1,
                SkuState.OPEN,
                settings,
                BookedMark.NOTHING,
                seen.nowMs(),
                0,
                List.of(),
                Map.of(),
                StockStore.UNKNOWN));
    assertThat(unit().recorded(forgotten.token())).isNull();
    Grant next = unit().grant(bucket, request(bucket, 3, "alice", 2));
    assertThat(next).extracting("seq", "epoch").containsExactly(6L, EPOCH + 1);
  }

  @Test
  default void shouldKnowLiveOrdersAsBookedAndEndedOnesAsEndedWhenLoaded() {
    // given
    BucketId bucket = unit().absentBucket();
    Grant live = Grants.of(token(bucket, 1), "alice", 2, 2, 1, 1_000, 2_000, 4, "cart|7");
    Grant ended = Grants.of(token(bucket, 2), "bob", 1, 3, 1, 1_001, 2_001);

    // when
    unit()
        .rebuild(
            10,
            FREE_FOR_ALL,
            bucket,
            new Recorded(live, true, true),
            new Recorded(ended, false, false));

    // then
    assertThat(unit().reserve(bucket, request(bucket, 1, "alice", 2), request(bucket, 2, "bob", 1)))
        .containsExactly(new Already(live, false), new Refused(Refusal.ORDER_ENDED));
    assertThat(unit().snapshot(bucket))
        .extracting("available", "unbookedCount")
        .containsExactly(8L, 0L);
  }

  /** Orders of one unit, in pages: a plus is live, a minus has ended. */
  @ParameterizedTest
  @CsvSource({"1+ 2- 1+, 1", "1+ 2+/1+ 2-, 1", "1+/1-, 2"})
  default void shouldCountEachUnitOfABuyerOnceWhenLoadedWithALimit(String pages, int left) {
    // given
    BucketId bucket = unit().headedBucket(10, UP_TO_TWO);
    String mark = unit().markOf(bucket);
    for (String page : pages.split("/")) {
      List<Recorded> orders =
          Stream.of(page.split(" "))
              .map(order -> recorded(bucket, order.charAt(0) - '0', "alice", order.endsWith("+")))
              .toList();
      expectOk(unit().store().loadPage(bucket, TERM, mark, orders));
    }
    expectOk(unit().store().open(bucket, TERM, mark));

    // when
    var outcomes =
        unit()
            .reserve(
                bucket, request(bucket, 3, "alice", left + 1), request(bucket, 4, "alice", left));

    // then
    assertThat(outcomes.get(0)).isEqualTo(new Refused(Refusal.LIMIT_REACHED));
    assertThat(outcomes.get(1)).isInstanceOf(Granted.class);
  }

  @Test
  default void shouldNeedARebuildWhenALimitComesAfterLoadingWithoutOne() {
    // given
    BucketId bucket = unit().absentBucket();
    unit().rebuild(10, FREE_FOR_ALL, bucket, recorded(bucket, 1, "alice", true));
    BucketTotal limited = new BucketTotal(VERSION + 1, 10, SkuState.OPEN, UP_TO_TWO);

    // when
    var code = await(unit().store().restock(bucket, TERM, limited));

    // then
    assertThat(code).isEqualTo(BucketCode.NEEDS_REBUILD);
  }

  @Test
  default void shouldLoadAllWhenAPageIsMoreThanABatch() {
    // given
    int count = StockStore.BATCH_MAX + 5;
    BucketId bucket = unit().absentBucket();
    Recorded[] orders =
        IntStream.range(0, count)
            .mapToObj(i -> recorded(bucket, i, Buyers.of(i), i % 2 == 0))
            .toArray(Recorded[]::new);

    // when
    unit().rebuild(1_000, UP_TO_TWO, bucket, orders);

    // then
    var tokens = IntStream.range(0, count).mapToObj(i -> token(bucket, i)).toList();
    assertThat(await(unit().store().lookup(bucket, tokens)).recorded().values())
        .containsExactlyInAnyOrder(orders);
  }

  @Test
  default void shouldHaveNothingToDoWhenAPageIsEmpty() {
    // given
    BucketId bucket = unit().headedBucket();

    // when
    var code = await(unit().store().loadPage(bucket, TERM, unit().markOf(bucket), List.of()));

    // then
    assertThat(code).isEqualTo(BucketCode.OK);
  }

  private static Recorded recorded(BucketId bucket, int number, String user, boolean live) {
    Grant grant = Grants.of(token(bucket, number), user, 1, number + 1, 1, 1_000, 2_000);
    return new Recorded(grant, live, false);
  }

  @ParameterizedTest
  @EnumSource(names = {"SCHEDULED", "OPEN", "CLOSED", "FROZEN"})
  default void shouldStandInTheStateOfTheLedgerWhenLoaded(SkuState state) {
    // given
    BucketId bucket = unit().openBucket(1, state, UP_TO_TWO);

    // when
    Snapshot seen = await(unit().store().snapshot(bucket, List.of(token(bucket, 1)), 0));

    // then
    assertThat(seen).extracting("code", "state").containsExactly(BucketCode.OK, state);
    assertThat(seen.live()).isEmpty();
  }

  @Test
  default void shouldCountAndGiveBackWhenTheLimitIsOne() {
    // given
    BucketId bucket = unit().absentBucket();
    Recorded live = recorded(bucket, 1, "alice", true);
    unit().rebuild(10, new SkuSettings(300, 1, 0, 0), bucket, live);
    var before = unit().reserve(bucket, request(bucket, 2, "alice", 1));

    // when
    unit().release(live.grant());

    // then
    assertThat(before).containsExactly(new Refused(Refusal.LIMIT_REACHED));
    assertThat(unit().grant(bucket, request(bucket, 2, "alice", 1)).qty()).isEqualTo(1);
  }

  @Test
  default void shouldNotCountBuyersWhileThereIsNoLimit() {
    // given
    BucketId bucket = unit().absentBucket();
    Recorded loaded = recorded(bucket, 1, "alice", true);
    unit().rebuild(10, FREE_FOR_ALL, bucket, loaded);
    Grant granted = unit().grant(bucket, request(bucket, 2, "alice", 2));
    unit().release(loaded.grant());
    unit().release(granted);

    // when
    unit().restock(bucket, VERSION + 1, 10, SkuState.OPEN, UP_TO_TWO);

    // then
    assertThat(unit().grant(bucket, request(bucket, 3, "alice", 2)).qty()).isEqualTo(2);
  }
}
