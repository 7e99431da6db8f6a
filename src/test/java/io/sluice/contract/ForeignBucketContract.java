package io.sluice.contract;

import static io.sluice.model.OrderStatus.PENDING;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Batches;
import io.sluice.ledger.Fence;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.Step;
import io.sluice.ledger.Step.Result;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.testkit.Placements;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Commands in a partition that has not their bucket. */
abstract class ForeignBucketContract extends LedgerScene {

  @Test
  void shouldSayWhereTheBucketIsAndWriteNothingWhenItIsInAnotherPartition() {
    // given
    BucketId bucket = sku(10);
    int home = Placements.partitionOf(bucket, partitions());
    BucketId other = bucketElsewhere(home);
    Grant grant = grant(bucket, 1);
    apply(bucket, reserve(grant));
    Fence fence = own(other);
    List<Command> commands =
        List.of(
            reserve(grant(other, 1)),
            reserve(grant(bucket, 2)),
            new Command.Confirm(grant.token()));

    // when
    Result result =
        get(Batches.apply(ledger(), Step.advance(fence, fence.nextOffset() + 1), commands));

    // then
    assertThat(result).isEqualTo(new Result.Foreign(Map.of(bucket, home)));
    assertThat(get(ledger().fences())).containsEntry(fence.partition(), fence);
    assertThat(order(grant.token()).status()).isEqualTo(PENDING);
    assertThat(row(bucket).held()).isEqualTo(1);
    assertThat(row(other).held()).isZero();
    assertThat(outbox(other, OutboxKind.DEAD)).isEmpty();
  }

  @Test
  void shouldAcceptACommandWhenItIsRehearsedWhereItsBucketIsNot() {
    // given
    BucketId bucket = sku(10);
    BucketId other = bucketElsewhere(Placements.partitionOf(bucket, partitions()));
    Step step = Step.check(own(other));

    // when
    get(ledger().rehearse(step, List.of(reserve(grant(bucket, 1)), reserve(grant(other, 1)))));

    // then
    assertThat(row(bucket).held()).isZero();
    assertThat(row(other).held()).isZero();
  }

  private BucketId bucketElsewhere(int partition) {
    BucketId other = sku(10);
    while (Placements.partitionOf(other, partitions()) == partition) {
      other = sku(10);
    }
    return other;
  }
}
