package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.BucketRow;
import io.sluice.ledger.Fence;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.SkuLedger.ChangeResult;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.ledger.SkuLedger.PutResult;
import io.sluice.ledger.SkuLedger.RestockResult;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.OrderStatus;
import io.sluice.model.Reason;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.sluice.testkit.Placements;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How SKUs end: first each bucket, once nothing of it is held, and with the last one the SKU. */
abstract class EndContract extends LedgerScene {
  private static final int PAGE = 10_000;

  private Sku end(long skuId) {
    ChangeResult result = change(skuId, StateChange.END);
    assertThat(result).isInstanceOf(ChangeResult.Done.class);
    return ((ChangeResult.Done) result).sku();
  }

  private BucketRow raise(BucketId bucket) {
    return get(ledger().raiseEpoch(own(bucket), bucket, 0)).orElseThrow();
  }

  private SkuState stateOf(long skuId) {
    return known(skuId).state();
  }

  private int partitionOf(BucketId bucket) {
    return Placements.partitionOf(bucket, partitions());
  }

  private boolean isListed(BucketId bucket) {
    return get(ledger().buckets(partitionOf(bucket), Optional.empty(), PAGE)).stream()
        .anyMatch(row -> row.id().equals(bucket));
  }

  private boolean isListedAsEnded(BucketId bucket) {
    return get(ledger().goneBuckets(partitionOf(bucket), Optional.empty(), PAGE)).contains(bucket);
  }

  @Test
  void shouldBeClosedForGoodWhenItBeginsToEnd() {
    // given
    Sku sku = sku(10, 2);
    BucketId bucket = new BucketId(sku.skuId(), 0);

    // when
    Sku ending = end(sku.skuId());

    // then
    assertThat(ending.state()).isEqualTo(SkuState.ENDING);
    assertThat(row(bucket).state()).isEqualTo(SkuState.ENDING);
    assertThat(row(bucket).version()).isEqualTo(2);
    assertThat(isListed(bucket)).isTrue();
    assertThat(isListedAsEnded(bucket)).isFalse();
    assertThat(end(sku.skuId())).isEqualTo(ending);
    assertThat(row(bucket).version()).isEqualTo(2);
  }

  @Test
  void shouldChangeNothingOfASkuThatEnds() {
    // given
    Sku sku = sku(10, 1);
    long skuId = sku.skuId();
    end(skuId);
    SkuSettings other = new SkuSettings(60, 2, 0, 0);

    // when
    List<ChangeResult> changes =
        Stream.of(StateChange.OPEN, StateChange.CLOSE, StateChange.FREEZE, StateChange.UNFREEZE)
            .map(change -> change(skuId, change))
            .toList();
    PutResult put = get(skus().put(new NewSku(skuId, 10, 1, Sku.Mode.FAST, other)));
    PutResult same = get(skus().put(new NewSku(skuId, 10, 1, Sku.Mode.FAST, SETTINGS)));
    RestockResult more = restock(skuId, "r1", 5);
    RestockResult less = restock(skuId, "r2", -5);

    // then
    assertThat(changes).containsOnly(new ChangeResult.IsEnding());
    assertThat(put).isEqualTo(new PutResult.IsEnding());
    assertThat(same).isInstanceOf(PutResult.Done.class);
    assertThat(more).isEqualTo(new RestockResult.IsEnding());
    assertThat(less).isEqualTo(new RestockResult.IsEnding());
  }

  @Test
  void shouldEndWithItsLastBucket() {
    // given
    Sku sku = sku(10, 2);
    BucketId first = new BucketId(sku.skuId(), 0);
    BucketId last = new BucketId(sku.skuId(), 1);
    end(sku.skuId());

    // when
    BucketRow one = raise(first);
    SkuState between = stateOf(sku.skuId());
    SkuState ofTheOther = row(last).state();
    BucketRow two = raise(last);

    // then
    assertThat(List.of(one.state(), between, ofTheOther, two.state(), stateOf(sku.skuId())))
        .containsExactly(
            SkuState.ENDED, SkuState.ENDING, SkuState.ENDING, SkuState.ENDED, SkuState.ENDED);
    assertThat(one.epoch()).isEqualTo(2);
    assertThat(List.of(isListed(first), isListed(last))).containsOnly(false);
    assertThat(List.of(isListedAsEnded(first), isListedAsEnded(last))).containsOnly(true);
    assertThat(end(sku.skuId()).state()).isEqualTo(SkuState.ENDED);
    assertThat(get(skus().bucketsOf(sku.skuId())))
        .extracting(BucketRow::state)
        .containsOnly(SkuState.ENDED);
  }

  @Test
  void shouldNotEndWhileUnitsAreHeld() {
    // given
    BucketId bucket = sku(10);
    Grant grant = grant(bucket, 1);
    read(bucket, reserve(grant));
    end(bucket.skuId());

    // when
    BucketRow held = raise(bucket);
    read(bucket, new Command.Cancel(grant.token(), Reason.BUYER));
    BucketRow free = raise(bucket);

    // then
    assertThat(List.of(held.state(), free.state()))
        .containsExactly(SkuState.ENDING, SkuState.ENDED);
    assertThat(List.of(held.epoch(), free.epoch())).containsExactly(2L, 3L);
    assertThat(stateOf(bucket.skuId())).isEqualTo(SkuState.ENDED);
  }

  @Test
  void shouldNotEndWithoutTheFence() {
    // given
    BucketId bucket = sku(10);
    end(bucket.skuId());
    Fence lost = own(bucket);
    own(bucket);

    // when
    Optional<BucketRow> raised = get(ledger().raiseEpoch(lost, bucket, 0));

    // then
    assertThat(raised).isEmpty();
    assertThat(row(bucket).state()).isEqualTo(SkuState.ENDING);
  }

  /** Its epoch is over, and nobody was told yes. */
  @Test
  void shouldBookNothingThatWasGrantedBeforeTheEnd() {
    // given
    BucketId bucket = sku(10);
    Grant late = grant(bucket, 1);
    end(bucket.skuId());
    raise(bucket);

    // when
    var applied = read(bucket, reserve(late));

    // then
    assertThat(applied.stale()).hasSize(1);
    assertThat(get(ledger().orders(List.of(late.token())))).isEmpty();
  }

  @Test
  void shouldRefundInTheLedgerAlone() {
    // given
    BucketId bucket = sku(10);
    Grant grant = grant(bucket, 1);
    read(bucket, reserve(grant), new Command.Confirm(grant.token()));
    end(bucket.skuId());
    raise(bucket);

    // when
    read(bucket, new Command.Refund(grant.token()));

    // then
    assertThat(order(grant.token()).status()).isEqualTo(OrderStatus.REFUNDED);
    assertThat(row(bucket).sold()).isZero();
    assertThat(outbox(bucket, OutboxKind.RELEASE)).hasSize(1);
  }

  @Test
  void shouldGoOnToEndAfterAFreeze() {
    // given
    BucketId bucket = sku(10);
    end(bucket.skuId());
    get(ledger().freezeSku(bucket.skuId(), "test"));

    // when
    BucketRow frozen = raise(bucket);
    ChangeResult opened = change(bucket.skuId(), StateChange.OPEN);
    RestockResult restocked = restock(bucket.skuId(), "r1", 1);
    change(bucket.skuId(), StateChange.UNFREEZE);
    BucketRow ended = raise(bucket);

    // then
    assertThat(List.of(frozen.state(), ended.state()))
        .containsExactly(SkuState.FROZEN, SkuState.ENDED);
    assertThat(opened).isEqualTo(new ChangeResult.IsFrozen());
    assertThat(restocked).isEqualTo(new RestockResult.IsEnding());
    get(ledger().freezeSku(bucket.skuId(), "test"));
    assertThat(stateOf(bucket.skuId())).isEqualTo(SkuState.ENDED);
  }

  @Test
  void shouldNotBeginToEndWhileItIsFrozenOrRestocked() {
    // given
    long frozen = sku(10, 1).skuId();
    change(frozen, StateChange.FREEZE);
    long restocked = sku(10, 1).skuId();
    restock(restocked, "r1", -5);

    // when
    List<ChangeResult> results =
        Stream.of(frozen, restocked, newSkuId())
            .map(skuId -> change(skuId, StateChange.END))
            .toList();

    // then
    assertThat(results)
        .containsExactly(
            new ChangeResult.IsFrozen(),
            new ChangeResult.IsRestocking(),
            new ChangeResult.Unknown());
  }

  @Test
  void shouldBeginToEndByItselfOnceItWasClosedForSoLong() {
    // given
    long nowMs = get(ledger().nowMs());
    long hourMs = 3_600_000;
    SkuSettings closed = new SkuSettings(300, 0, 0, nowMs - 2 * hourMs);
    long due = put(new NewSku(newSkuId(), 1, 1, Sku.Mode.FAST, closed)).skuId();
    long notYet = put(new NewSku(newSkuId(), 1, 1, Sku.Mode.FAST, closed)).skuId();
    long open = sku(1, 1).skuId();

    // when
    get(ledger().endClosed(due, hourMs));
    get(ledger().endClosed(due, hourMs));
    get(ledger().endClosed(notYet, 3 * hourMs));
    get(ledger().endClosed(open, 0));
    get(ledger().endClosed(newSkuId(), 0));

    // then
    assertThat(List.of(stateOf(due), stateOf(notYet), stateOf(open)))
        .containsExactly(SkuState.ENDING, SkuState.OPEN, SkuState.OPEN);
  }
}
