package io.sluice.owner.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Bookings.Step;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Outbox.OutboxKind;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Reason;
import io.sluice.orderlog.InMemoryEvents;
import io.sluice.owner.OwnerScene;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReleaseRelayTest {
  private static final int MANY = 2 * ReleaseRelay.RELEASES_PER_CALL + 1;

  private final OwnerScene scene = OwnerScene.withStock(MANY);

  @Test
  void shouldReleaseAllHoweverManyPagesTheyAre() {
    // given
    end(MANY);

    // when
    scene.owner.relayOutbox();

    // then
    assertThat(scene.redis().available()).isEqualTo(MANY);
    assertThat(scene.pending(OutboxKind.RELEASE)).isEmpty();
  }

  @Test
  void shouldReleaseNothingTwice() {
    // given
    end(1);
    scene.owner.relayOutbox();

    // when
    scene.owner.relayOutbox();

    // then
    assertThat(scene.calls.of("release")).hasSize(1);
  }

  @Test
  void shouldKeepWhatRedisDoesNotTakeNow() {
    // given
    end(2);
    scene.calls.answer("release", BucketCode.LOADING);
    scene.owner.relayOutbox();
    int meanwhile = scene.pending(OutboxKind.RELEASE).size();

    // when
    scene.calls.instead.clear();
    scene.owner.relayOutbox();

    // then
    assertThat(meanwhile).isEqualTo(2);
    assertThat(scene.pending(OutboxKind.RELEASE)).isEmpty();
    assertThat(scene.lost).isFalse();
  }

  @Test
  void shouldKeepAllWhenRedisIsAwayAndMarkNothing() {
    // given
    end(2);
    scene.calls.fail("release", new StockUnavailableException("away", null));

    // when
    scene.owner.relayOutbox();

    // then
    assertThat(scene.pending(OutboxKind.RELEASE)).hasSize(2);
    assertThat(scene.calls.of("sent")).isEmpty();
  }

  @Test
  void shouldLearnFromRedisThatTheFenceIsAnothers() {
    // given
    end(1);
    scene.clock.advance(Duration.ofSeconds(1));
    long term = scene.ledger.takeOver(OwnerScene.PARTITION, 0).result().term();
    scene.stock.freeze(OwnerScene.BUCKET, term);

    // when
    scene.owner.relayOutbox();

    // then
    assertThat(scene.lost).isTrue();
    assertThat(scene.pending(OutboxKind.RELEASE)).hasSize(1);
  }

  /** The fence is checked in the ledger only if Redis reports a stale term. */
  @Test
  void shouldNotDoubtItsFenceOtherwise() {
    // given
    end(1);
    scene.calls.answer("release", BucketCode.LOST);
    scene.calls.of("apply").clear();

    // when
    scene.owner.relayOutbox();

    // then
    assertThat(scene.calls.of("apply")).isEmpty();
  }

  /** Ends orders by commits that bypass the owner, so that no pass is woken. */
  private void end(int count) {
    List<Command> commands = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Grant grant = scene.grant("buyer" + i, 1);
      commands.add(new Command.Reserve(grant, null));
      commands.add(new Command.Cancel(grant.token(), Reason.BUYER));
    }
    Fence fence = scene.ledger.fences().result().get(OwnerScene.PARTITION);
    scene.ledger.apply(Step.check(fence), commands);
    scene.events.usually(InMemoryEvents.Fate.REFUSED);
    scene.calls.of("sent").clear();
  }
}
