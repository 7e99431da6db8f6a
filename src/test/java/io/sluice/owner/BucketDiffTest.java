package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.BucketRow;
import io.sluice.ledger.BucketRows;
import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.OrderToken;
import io.sluice.model.OrderTokens;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.sluice.owner.BucketDiff.Drift;
import io.sluice.owner.BucketDiff.DriftKind;
import io.sluice.owner.BucketDiff.SkipCause;
import io.sluice.owner.BucketDiff.Skipped;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.BookedMark;
import io.sluice.stock.StockStore.Snapshot;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of differences; the ledger has 100 units, 3 held and 4 sold. */
class BucketDiffTest {
  private static final BucketId BUCKET = new BucketId(1001, 0);
  private static final SkuSettings SETTINGS = new SkuSettings(300, 0, 0, 0);
  private static final OrderTokens TOKENS = new OrderTokens(new byte[16]);
  private static final OrderToken GRANTED = TOKENS.tokenFor("granted", BUCKET, null);
  private static final OrderToken ENDED = TOKENS.tokenFor("ended", BUCKET, null);
  private static final BucketRow ROW =
      BucketRows.of(BUCKET, 0, 100, 3, 4, 2, 5, SkuState.OPEN, SETTINGS);

  private static Snapshot redis(
      BucketCode code,
      long epoch,
      long[] counted,
      List<Grant> unbooked,
      Map<OrderToken, Integer> live) {
    return new Snapshot(
        code,
        counted[0],
        counted[1],
        counted[2],
        epoch,
        counted[3],
        1,
        SkuState.OPEN,
        SETTINGS,
        BookedMark.NOTHING,
        1,
        unbooked.size(),
        unbooked,
        live,
        StockStore.UNKNOWN);
  }

  private static Grant grant(int qty) {
    return Grants.of(GRANTED, "granted", qty, 1, 2, 1, 2);
  }

  @ParameterizedTest
  @CsvSource({
    "the same,               100, 7,  0, 5, 0, false, 0, true",
    "returned before,        100, 17, 10, 5, 0, false, 0, true",
    "granted,                100, 9,  0, 5, 2, false, 0, true",
    "booked but not heard,   100, 7,  0, 5, 2, true,  0, true",
    "ended but not released, 100, 9,  0, 5, 0, false, 2, true",
    "granted and ended,      100, 12, 0, 5, 2, false, 3, true",
    "one taken by nobody,    100, 8,  0, 5, 0, false, 0, false",
    "one forgotten,          100, 6,  0, 5, 0, false, 0, false",
    "one returned twice,     100, 8,  2, 5, 0, false, 0, false",
    "grant not counted,      100, 7,  0, 5, 2, false, 0, false",
    "booked but counted,     100, 9,  0, 5, 2, true,  0, false",
    "a unit too many,        101, 7,  0, 5, 0, false, 0, false",
    "another version,        100, 7,  0, 6, 0, false, 0, false",
  })
  void shouldTellEachDifference(
      String name,
      long total,
      long claimed,
      long released,
      long version,
      int unbooked,
      boolean booked,
      int returning,
      boolean agrees) {
    // given
    List<Grant> grants = unbooked == 0 ? List.of() : List.of(grant(unbooked));
    Map<OrderToken, Integer> live = returning == 0 ? Map.of() : Map.of(ENDED, returning);
    Snapshot seen =
        redis(BucketCode.OK, 2, new long[] {total, claimed, released, version}, grants, live);

    // when
    BucketDiff comparison =
        BucketDiff.of(ROW, seen, Map.of(ENDED, 0), booked ? Set.of(GRANTED) : Set.of());

    // then
    assertThat(comparison).as(name).isInstanceOf(agrees ? BucketDiff.Agrees.class : Drift.class);
  }

  /** Two of three units are refunded; Redis has heard of one of them, or of both. */
  @ParameterizedTest
  @CsvSource({"8, 2, true", "7, 1, true", "8, 1, false", "9, 2, false"})
  void shouldExpectWhatAnOrderKeepsWhenAPartOfItIsRefunded(long claimed, int live, boolean agrees) {
    // given
    Snapshot seen =
        redis(BucketCode.OK, 2, new long[] {100, claimed, 0, 5}, List.of(), Map.of(ENDED, live));

    // when
    BucketDiff comparison = BucketDiff.of(ROW, seen, Map.of(ENDED, 1), Set.of());

    // then
    assertThat(comparison).isInstanceOf(agrees ? BucketDiff.Agrees.class : Drift.class);
  }

  @Test
  void shouldExpectNoUnitsOfAnOrderWhoseReleaseIsSent() {
    // given
    Snapshot seen = redis(BucketCode.OK, 2, new long[] {100, 9, 0, 5}, List.of(), Map.of(ENDED, 2));

    // when
    BucketDiff comparison = BucketDiff.of(ROW, seen, Map.of(), Set.of());

    // then
    assertThat(comparison).isInstanceOf(Drift.class);
  }

  @Test
  void shouldSayWhatItExpectedWhenItDiffers() {
    // given
    Snapshot seen =
        redis(BucketCode.OK, 2, new long[] {100, 12, 0, 5}, List.of(grant(2)), Map.of(ENDED, 1));

    // when
    BucketDiff comparison = BucketDiff.of(ROW, seen, Map.of(ENDED, 0), Set.of());

    // then
    assertThat(comparison)
        .isEqualTo(
            new Drift(
                DriftKind.WITHHELD,
                "{\"total\":100,\"version\":5,\"taken\":12}",
                "{\"total\":100,\"version\":5,\"taken\":10}",
                "Expected 10 units taken: 3 held, 4 sold, 2 unbooked, 1 not yet released"));
  }

  @ParameterizedTest
  @CsvSource({"ABSENT,2", "LOST,2", "LOADING,2", "OK,1", "OK,3"})
  void shouldPassOverWhenRedisCannotVouchForIt(BucketCode code, long epoch) {
    // given
    Snapshot seen = redis(code, epoch, new long[] {100, 50, 0, 5}, List.of(), Map.of());

    // when
    BucketDiff comparison = BucketDiff.of(ROW, seen, Map.of(), Set.of());

    // then
    assertThat(comparison).isEqualTo(new Skipped(SkipCause.AWAY));
  }
}
