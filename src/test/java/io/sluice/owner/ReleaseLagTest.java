package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Batches;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Step;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Reason;
import io.sluice.orderlog.InMemoryEvents;
import io.sluice.stock.BucketCode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long after their deadline the units of unpaid orders are back in Redis. */
class ReleaseLagTest {
  private final OwnerScene scene = OwnerScene.withStock(10);

  /** Ends an order by one commit that bypasses the owner, so that no pass is woken. */
  private void end(Grant grant, Reason reason) {
    Fence fence = scene.ledger.fences().result().get(OwnerScene.PARTITION);
    Batches.apply(
        scene.ledger,
        Step.check(fence),
        List.of(new Command.Reserve(grant, null), new Command.Cancel(grant.token(), reason)));
    scene.events.usually(InMemoryEvents.Fate.REFUSED);
  }

  @Test
  void shouldMeasureOnlyWhatTimedOutAndOnceRedisHasIt() {
    // given
    Grant unpaid = scene.grant("alice", 1);
    Grant canceled = scene.grant("bob", 1);
    scene.clock.advance(Duration.ofMillis(unpaid.payBeforeMs() - scene.clock.millis() + 400));
    end(unpaid, Reason.TIMEOUT);
    end(canceled, Reason.BUYER);
    scene.calls.answer("release", BucketCode.LOADING);
    scene.owner.relayOutbox();
    long tooEarly = scene.meters.times("sluice_release_lag");

    // when
    scene.calls.instead.clear();
    scene.owner.relayOutbox();

    // then
    assertThat(tooEarly).isZero();
    assertThat(scene.meters.times("sluice_release_lag")).isEqualTo(1);
  }
}
