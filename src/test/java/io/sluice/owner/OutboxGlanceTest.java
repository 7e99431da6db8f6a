package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Ledger.Glance;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.model.Placement;
import io.sluice.orderlog.LogUnavailableException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the timer of the outbox does. */
class OutboxGlanceTest {
  private final OwnerScene scene = OwnerScene.withStock(10);

  @Test
  void shouldSendAHeartbeatAndReadNoRowsWhenNothingIsPending() {
    // given
    scene.calls.of("pending").clear();
    int before = scene.heartbeats().size();

    // when
    scene.advance(Duration.ofSeconds(1));
    scene.owner.relayOutbox();

    // then
    assertThat(scene.heartbeats()).hasSize(before + 1);
    assertThat(scene.heartbeats().get(before).getLong("at"))
        .isEqualTo(scene.clock.instant().toEpochMilli());
    assertThat(scene.calls.of("pending"))
        .extracting(call -> call[0])
        .containsOnly(Placement.DIRECT);
  }

  /** Listeners trust a heartbeat for two seconds. */
  @Test
  void shouldSendAHeartbeatEachSecondWhenNothingHappens() {
    // given
    int before = scene.heartbeats().size();

    // when
    for (int tick = 0; tick < 20; tick++) {
      scene.advance(Duration.ofMillis(500));
      scene.owner.relayOutbox();
    }

    // then
    assertThat(scene.heartbeats()).hasSize(before + 10);
  }

  /** Listeners would take what they have heard for current. */
  @Test
  void shouldSendNoHeartbeatBeforeTheEventsThatArePending() {
    // given
    scene.calls.instead.put("publish", OutboxGlanceTest::unavailable);
    scene.placed("alice", 1);
    scene.work();
    int before = scene.heartbeats().size();

    // when
    scene.owner.relayOutbox();
    int whileAway = scene.heartbeats().size();
    scene.calls.instead.remove("publish");
    scene.owner.relayOutbox();

    // then
    assertThat(whileAway).isEqualTo(before);
    assertThat(scene.eventTypes()).containsExactly("ORDER_BOOKED");
    assertThat(scene.heartbeats()).hasSize(before + 1);
  }

  /** Otherwise listeners would hear nothing until it is as late again. */
  @Test
  void shouldGoOnSendingHeartbeatsWhenTheClockOfTheLedgerWasSetBack() {
    // given
    scene.owner.relayOutbox();
    int before = scene.heartbeats().size();
    long backMs = scene.clock.instant().minus(Duration.ofHours(1)).toEpochMilli();
    Glance back = new Glance(backMs, Optional.empty(), Set.of());
    scene.calls.instead.put("glance", call -> Future.succeededFuture(back));

    // when
    scene.owner.relayOutbox();

    // then
    assertThat(scene.heartbeats()).hasSize(before + 1);
    assertThat(scene.heartbeats().get(before).getLong("at")).isEqualTo(backMs);
  }

  /** A broker that is away answers late, and restocks do not need it. */
  @Test
  void shouldStillWakeTheOthersWhenAHeartbeatWaitsForTheBroker() {
    // given
    scene.calls.instead.put("publish", call -> Promise.promise().future());
    scene.advance(Duration.ofSeconds(1));
    scene.owner.relayOutbox();
    scene.restock(5);

    // when
    scene.owner.relayOutbox();

    // then
    assertThat(scene.pending(OutboxKind.RESTOCK)).isEmpty();
    assertThat(scene.redis().total()).isEqualTo(15);
  }

  private static Future<?> unavailable(Object[] call) {
    return Future.failedFuture(new LogUnavailableException("away"));
  }

  /** Written by other instances, which wake nobody here. */
  @Test
  void shouldWakeThePassOfEachKindThatIsPending() {
    // given
    scene.restock(5);

    // when
    scene.owner.relayOutbox();

    // then
    assertThat(scene.pending(OutboxKind.RESTOCK)).isEmpty();
    assertThat(scene.redis().total()).isEqualTo(15);
  }
}
