package io.sluice.contract;

import static io.sluice.contract.StockUnderTest.EPOCH;
import static io.sluice.contract.StockUnderTest.FREE_FOR_ALL;
import static io.sluice.contract.StockUnderTest.TERM;
import static io.sluice.contract.StockUnderTest.VERSION;
import static io.sluice.contract.StockUnderTest.await;
import static io.sluice.contract.StockUnderTest.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.Refusal;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.sluice.stock.BucketCode;
import io.sluice.stock.GrantOutcome.Refused;
import io.sluice.stock.StockStore.BucketTotal;
import io.sluice.stock.StockStore.Snapshot;
import io.sluice.stock.StockStore.Take;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Changing the total, up and down. */
interface RestockContract extends StockContract {
  SkuSettings LIMITED = new SkuSettings(300, 1, 0, 0);

  @Test
  default void shouldSetAllThatTheLedgerSaysWhenTheVersionIsHigher() {
    // given
    BucketId bucket = unit().openBucket(10);
    Grant grant = unit().grant(bucket, request(bucket, 1, 4));
    SkuSettings settings = new SkuSettings(1, 0, 2, 3);

    // when
    unit().restock(bucket, VERSION + 1, 60, SkuState.CLOSED, settings);

    // then
    Snapshot seen = unit().snapshot(bucket);
    assertThat(seen)
        .extracting("total", "claimed", "released", "version", "state", "settings", "epoch")
        .containsExactly(60L, 4L, 0L, VERSION + 1, SkuState.CLOSED, settings, EPOCH);
    assertThat(seen.unbooked()).containsExactly(grant);
  }

  @Test
  default void shouldIgnoreTheCallWhenTheVersionIsNotHigher() {
    // given
    BucketId bucket = unit().openBucket(10);
    Snapshot before = unit().snapshot(bucket);

    // when
    unit().restock(bucket, VERSION, 60, SkuState.CLOSED, LIMITED);
    unit().restock(bucket, VERSION - 1, 70, SkuState.FROZEN, LIMITED);

    // then
    unit().expectSame(bucket, before);
  }

  @Test
  default void shouldSellTheDifferenceWhenTheCeilingMoves() {
    // given
    BucketId bucket = unit().openBucket(1);
    unit().grant(bucket, request(bucket, 1, 1));

    // when
    unit().restock(bucket, VERSION + 1, 2, SkuState.OPEN, FREE_FOR_ALL);
    Grant second = unit().grant(bucket, request(bucket, 2, 1));
    unit().restock(bucket, VERSION + 2, 1, SkuState.OPEN, FREE_FOR_ALL);

    // then
    assertThat(second.seq()).isEqualTo(2);
    assertThat(unit().snapshot(bucket).available()).isEqualTo(-1);
    assertThat(unit().reserve(bucket, request(bucket, 3, 1)))
        .containsExactly(new Refused(Refusal.SOLD_OUT));
  }

  @Test
  default void shouldNeedARebuildWhenALimitIsSwitchedOnWhileUnitsAreHeld() {
    // given
    BucketId bucket = unit().openBucket(10);
    Grant grant = unit().grant(bucket, request(bucket, 1, 1));
    Snapshot before = unit().snapshot(bucket);
    BucketTotal limited = new BucketTotal(VERSION + 1, 60, SkuState.CLOSED, LIMITED);

    // when
    var refused = await(unit().store().restock(bucket, TERM, limited));
    Snapshot after = unit().snapshot(bucket);
    unit().release(grant);
    var applied = await(unit().store().restock(bucket, TERM, limited));

    // then
    assertThat(refused).isEqualTo(BucketCode.NEEDS_REBUILD);
    assertThat(after).usingRecursiveComparison().ignoringFields("nowMs").isEqualTo(before);
    assertThat(applied).isEqualTo(BucketCode.OK);
    assertThat(unit().snapshot(bucket).settings()).isEqualTo(LIMITED);
  }

  @Test
  default void shouldKeepCountingWhenTheLimitIsChanged() {
    // given
    BucketId bucket = unit().openBucket(10, SkuState.OPEN, LIMITED);
    unit().grant(bucket, request(bucket, 1, "alice", 1));

    // when
    unit().restock(bucket, VERSION + 1, 10, SkuState.OPEN, new SkuSettings(300, 2, 0, 0));

    // then
    assertThat(unit().grant(bucket, request(bucket, 2, "alice", 1)).seq()).isEqualTo(2);
    assertThat(unit().reserve(bucket, request(bucket, 3, "alice", 1)))
        .containsExactly(new Refused(Refusal.LIMIT_REACHED));
  }

  @Test
  default void shouldForgetTheCountsWhenTheLimitIsSwitchedOff() {
    // given
    BucketId bucket = unit().openBucket(10, SkuState.OPEN, LIMITED);
    Grant grant = unit().grant(bucket, request(bucket, 1, "alice", 1));
    unit().restock(bucket, VERSION + 1, 10, SkuState.OPEN, FREE_FOR_ALL);
    unit().release(grant);

    // when
    unit().restock(bucket, VERSION + 2, 10, SkuState.OPEN, LIMITED);

    // then
    assertThat(unit().grant(bucket, request(bucket, 2, "alice", 1)).seq()).isEqualTo(2);
    assertThat(unit().reserve(bucket, request(bucket, 3, "alice", 1)))
        .containsExactly(new Refused(Refusal.LIMIT_REACHED));
  }

  @Test
  default void shouldLowerTheTotalOnceWhenATakeIsRepeated() {
    // given
    BucketId bucket = unit().openBucket(10);

    // when
    BucketCode first = await(unit().store().take(bucket, TERM, new Take(7, EPOCH, VERSION, 4)));
    BucketCode again = await(unit().store().take(bucket, TERM, new Take(7, EPOCH, VERSION, 4)));
    BucketCode other = await(unit().store().take(bucket, TERM, new Take(8, EPOCH, VERSION, 4)));

    // then
    assertThat(List.of(first, again, other)).containsOnly(BucketCode.OK);
    assertThat(unit().snapshot(bucket).total()).isEqualTo(2);
    assertThat(unit().snapshot(bucket).version()).isEqualTo(VERSION);
  }

  @Test
  default void shouldTakeNothingWhenTooFewAreAvailable() {
    // given
    BucketId bucket = unit().openBucket(10);
    unit().grant(bucket, request(bucket, 1, 4));
    unit().release(unit().grant(bucket, request(bucket, 2, 3)));

    // when
    BucketCode tooMany = await(unit().store().take(bucket, TERM, new Take(7, EPOCH, VERSION, 7)));
    long total = unit().snapshot(bucket).total();
    BucketCode all = await(unit().store().take(bucket, TERM, new Take(8, EPOCH, VERSION, 6)));

    // then
    assertThat(tooMany).isEqualTo(BucketCode.TOO_FEW);
    assertThat(total).isEqualTo(10);
    assertThat(all).isEqualTo(BucketCode.OK);
    assertThat(unit().snapshot(bucket).available()).isZero();
  }

  /** A call that its caller has given up may arrive after its retry was answered. */
  @Test
  default void shouldDecideATakeOnlyOnceWhenItComesLate() {
    // given
    BucketId bucket = unit().openBucket(10);
    Grant grant = unit().grant(bucket, request(bucket, 1, 8));
    BucketCode refused = await(unit().store().take(bucket, TERM, new Take(7, EPOCH, VERSION, 4)));
    unit().release(grant);

    // when
    BucketCode late = await(unit().store().take(bucket, TERM, new Take(7, EPOCH, VERSION, 4)));
    BucketCode next = await(unit().store().take(bucket, TERM, new Take(8, EPOCH, VERSION, 1)));
    BucketCode later = await(unit().store().take(bucket, TERM, new Take(7, EPOCH, VERSION, 4)));

    // then
    assertThat(List.of(refused, late)).containsOnly(BucketCode.TOO_FEW);
    assertThat(next).isEqualTo(BucketCode.OK);
    assertThat(later).isEqualTo(BucketCode.SUPERSEDED);
    assertThat(unit().snapshot(bucket).total()).isEqualTo(9);
  }

  /** A take of a replaced owner may be just before its successor sets the total. */
  @Test
  default void shouldTakeAgainWhenTheTotalWasSetInBetween() {
    // given
    BucketId bucket = unit().openBucket(10);
    await(unit().store().take(bucket, TERM, new Take(7, EPOCH, VERSION, 4)));
    unit().restock(bucket, VERSION + 1, 12, SkuState.OPEN, FREE_FOR_ALL);

    // when
    BucketCode late = await(unit().store().take(bucket, TERM, new Take(7, EPOCH, VERSION, 4)));
    long total = unit().snapshot(bucket).total();
    BucketCode taken = await(unit().store().take(bucket, TERM, new Take(7, EPOCH, VERSION + 1, 4)));

    // then
    assertThat(late).isEqualTo(BucketCode.SUPERSEDED);
    assertThat(total).isEqualTo(12);
    assertThat(taken).isEqualTo(BucketCode.OK);
    assertThat(unit().snapshot(bucket).total()).isEqualTo(8);
  }

  @Test
  default void shouldTakeAgainWhenTheBucketWasRebuiltInBetween() {
    // given
    BucketId bucket = unit().openBucket(10);
    await(unit().store().take(bucket, TERM, new Take(7, EPOCH, VERSION, 4)));
    unit().rebuild(10, FREE_FOR_ALL, bucket);

    // when
    BucketCode late = await(unit().store().take(bucket, TERM, new Take(7, EPOCH, VERSION, 4)));
    BucketCode taken = await(unit().store().take(bucket, TERM, new Take(7, EPOCH + 1, VERSION, 4)));

    // then
    assertThat(late).isEqualTo(BucketCode.SUPERSEDED);
    assertThat(taken).isEqualTo(BucketCode.OK);
    assertThat(unit().snapshot(bucket).total()).isEqualTo(6);
  }
}
