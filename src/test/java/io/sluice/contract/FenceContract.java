package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Batches;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Step;
import io.sluice.ledger.Step.Result;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Fences of a ledger, or of a Redis, that was put back to an earlier state. */
abstract class FenceContract extends LedgerScene {

  @Test
  void shouldNotGiveATermAgainWhenAHigherOneWasSeenOrTheLedgerHasForgottenIt() {
    // given
    long clock = get(ledger().nowMs());
    long seen = clock + 3_600_000;

    // when
    Fence first = get(ledger().takeOver(0, 0));
    Fence above = get(ledger().takeOver(0, seen));

    // then
    assertThat(first.term()).as("what was lost is below the clock").isGreaterThanOrEqualTo(clock);
    assertThat(above.term()).isGreaterThan(seen);
  }

  @Test
  void shouldRefuseEveryStepWhenTheLedgerHasLostWhatItsOwnerCommitted() {
    // given
    BucketId bucket = sku(10);
    Fence now = own(bucket);
    Fence known = new Fence(now.partition(), now.term(), now.nextOffset() + 3);
    List<Command> commands = List.of(reserve(grant(bucket, 1)));

    // when
    Result checking = get(Batches.apply(ledger(), Step.check(known), commands));
    Result passing =
        get(Batches.apply(ledger(), Step.advance(known, known.nextOffset() + 1), commands));

    // then
    assertThat(List.of(checking, passing)).containsOnly(new Result.FenceLost(now));
    assertThat(get(ledger().raiseEpoch(known, bucket, 0))).isEmpty();
    assertThat(row(bucket).held()).isZero();
  }

  @Test
  void shouldRaiseTheEpochAboveWhatRedisShows() {
    // given
    BucketId bucket = sku(10);
    Fence fence = own(bucket);

    // when
    get(ledger().raiseEpoch(fence, bucket, 7));
    get(ledger().raiseEpoch(fence, bucket, 3));

    // then
    assertThat(row(bucket).epoch()).isEqualTo(9);
  }
}
