package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger.Glance;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.OwnerRequest.RequestKind;
import io.sluice.ledger.Reading;
import io.sluice.ledger.Reading.Looked;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Limits;
import io.sluice.model.Reason;
import io.sluice.testkit.Placements;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a ledger records that the log could not be read, or has lost records. */
abstract class ProgressContract extends LedgerScene {

  @Test
  void shouldPassOverWhatIsLostOnceAndAskForARebuildOfAll() {
    // given
    get(ledger().takeOver(0, 0));
    Fence before = get(ledger().reset(0, 7));

    // when
    boolean skipped = get(ledger().skipLost(0, 7, 30));
    boolean again = get(ledger().skipLost(0, 7, 30));
    boolean known = get(ledger().hasLost(0));

    // then
    assertThat(List.of(skipped, again, known)).containsExactly(true, false, true);
    Fence after = get(ledger().fences()).get(0);
    assertThat(after.nextOffset()).isEqualTo(30);
    assertThat(after.term()).isGreaterThan(before.term());
    assertThat(get(ledger().openRequests(List.of(0), 0, 10_000)))
        .filteredOn(request -> request.kind() == RequestKind.REBUILD)
        .filteredOn(request -> request.bucket().isEmpty())
        .singleElement()
        .satisfies(request -> get(ledger().answerRequests(List.of(request.id()), "{}")));
    assertThat(get(ledger().hasLost(0))).isFalse();
    get(ledger().reset(0, 0));
  }

  @Test
  void shouldKeepAReadingOnlyUnderTheFence() {
    // given
    Fence old = get(ledger().takeOver(1, 0));
    Fence now = get(ledger().takeOver(1, 0));
    Reading first = new Reading(1_000, 0, 0);
    Reading second = new Reading(2_000, 700, 2_700, new Looked(1_500, 1_200));

    // when
    List<Boolean> kept =
        List.of(
            get(ledger().keepReading(now, first, false)),
            get(ledger().keepReading(now, second, true)),
            get(ledger().keepReading(old, first, false)));

    // then
    assertThat(kept).containsExactly(true, true, false);
    assertThat(get(ledger().reading(1))).contains(second);
    assertThat(get(ledger().reading(2))).isEmpty();
  }

  @Test
  void shouldShowItsPartitionAtAGlance() {
    // given
    BucketId bucket = sku(10);
    int partition = Placements.partitionOf(bucket, partitions());
    for (OutboxKind kind : OutboxKind.values()) {
      get(ledger().sent(outbox(partition, kind)));
    }
    Grant grant = grant(bucket, 1);
    Fence fence = own(bucket);
    long beginMs = get(ledger().nowMs());

    // when
    Glance idle = get(ledger().glance(partition));
    apply(bucket, reserve(grant));
    Glance booked = get(ledger().glance(partition));
    apply(bucket, new Command.Cancel(grant.token(), Reason.BUYER));
    restock(bucket.skuId(), "glance", 5);
    Glance ended = get(ledger().glance(partition));

    // then
    assertThat(idle.fence()).contains(fence);
    assertThat(idle.nowMs()).isBetween(beginMs, get(ledger().nowMs()));
    assertThat(idle.pending()).isEmpty();
    assertThat(booked.pending()).containsExactly(OutboxKind.EVENT);
    assertThat(ended.pending())
        .containsExactlyInAnyOrder(OutboxKind.EVENT, OutboxKind.RELEASE, OutboxKind.RESTOCK);
    assertThat(get(ledger().glance(99)).fence()).isEmpty();
  }

  @Test
  void shouldKnowTheLongestTimeToPay() {
    // given
    sku(10);

    // when
    long windowMs = get(ledger().longestWindowMs());

    // then
    assertThat(windowMs).isPositive().isLessThanOrEqualTo(Limits.PAYMENT_WINDOW_S_MAX * 1_000L);
  }
}
