package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.OrderStatus;
import io.sluice.model.Reason;
import io.sluice.model.Refusal;
import io.sluice.orderlog.InMemoryEvents;
import io.sluice.stock.BucketCode;
import io.sluice.stock.GrantOutcome;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class OwnerContextTest {
  private static final Duration PAYMENT_WINDOW = Duration.ofSeconds(300);
  private static final Duration SWEEP_AFTER = Duration.ofSeconds(4);

  private final OwnerScene scene = OwnerScene.withStock(3);

  @Test
  void shouldCancelWhenThePaymentWindowIsOver() {
    // given
    scene.placed("alice", 1);
    scene.work();

    // when
    scene.pass(PAYMENT_WINDOW);

    // then
    assertThat(scene.order("alice").status()).isEqualTo(OrderStatus.CANCELED);
    assertThat(scene.order("alice").reason()).isEqualTo(Reason.TIMEOUT);
    assertThat(scene.redis().available()).isEqualTo(3);
  }

  @Test
  void shouldNotCancelWhenThePaymentIsInTheLogAlready() {
    // given
    Grant grant = scene.placed("alice", 1);
    scene.work();
    scene.pass(PAYMENT_WINDOW.minusSeconds(1));
    scene.append(new Command.Confirm(grant.token()));
    scene.advance(Duration.ofSeconds(1));

    // when
    scene.owner.scanTimeouts();
    OrderStatus unread = scene.order("alice").status();
    scene.work();

    // then
    assertThat(unread).isEqualTo(OrderStatus.PENDING);
    assertThat(scene.order("alice").status()).isEqualTo(OrderStatus.CONFIRMED);
  }

  @Test
  void shouldNotCancelWhenThePaymentArrivesInTimeBetweenTheTwoLooks() {
    // given
    Grant grant = scene.placed("alice", 1);
    scene.work();
    scene.pass(PAYMENT_WINDOW.minusMillis(1));
    Runnable paysInTime =
        () -> {
          scene.append(new Command.Confirm(grant.token()));
          scene.advance(Duration.ofMillis(1));
        };
    afterTheFirstLook("glance", () -> scene.ledger.glance(OwnerScene.PARTITION), paysInTime);
    afterTheFirstLook("endOffset", () -> scene.log.endOffset(OwnerScene.PARTITION), paysInTime);

    // when
    scene.owner.scanTimeouts();
    OrderStatus unread = scene.order("alice").status();
    scene.work();

    // then
    assertThat(unread).isEqualTo(OrderStatus.PENDING);
    assertThat(scene.order("alice").status()).isEqualTo(OrderStatus.CONFIRMED);
  }

  /** This happens once, right after the first of the looks at the clock and at the log's end. */
  private void afterTheFirstLook(String call, Supplier<Future<?>> look, Runnable happens) {
    scene.calls.instead.put(
        call,
        arguments -> {
          scene.calls.instead.clear();
          Future<?> seen = look.get();
          happens.run();
          return seen;
        });
  }

  @Test
  void shouldNotCancelWhenTheLogCannotBeRead() {
    // given
    scene.placed("alice", 1);
    scene.work();
    scene.pass(PAYMENT_WINDOW.minusSeconds(1));
    scene.advance(Duration.ofSeconds(1));
    scene.log.readable(false);

    // when
    scene.owner.scanTimeouts();

    // then
    assertThat(scene.order("alice").status()).isEqualTo(OrderStatus.PENDING);
  }

  @Test
  void shouldNotCancelAndSaySoWhenTheLogEndsBeforeWhatIsBooked() {
    // given
    scene.placed("alice", 1);
    scene.work();
    scene.pass(PAYMENT_WINDOW.minusSeconds(1));
    scene.advance(Duration.ofSeconds(1));
    scene.log.loseFrom(OwnerScene.PARTITION, 0);

    // when
    scene.owner.scanTimeouts();

    // then
    assertThat(scene.logCut).isTrue();
    assertThat(scene.order("alice").status()).isEqualTo(OrderStatus.PENDING);
    assertThat(scene.lost).isFalse();
  }

  @Test
  void shouldStepDownWhenAPartitionWhoseLogWasCutIsReset() {
    // given
    scene.placed("alice", 1);
    scene.work();
    scene.log.loseFrom(OwnerScene.PARTITION, 0);
    scene.owner.scanTimeouts();
    scene.ledger.reset(OwnerScene.PARTITION, 0);

    // when
    scene.owner.scanTimeouts();

    // then
    assertThat(scene.lost).isTrue();
  }

  @Test
  void shouldBookFromRedisWhenAGrantNeverReachedTheLog() {
    // given
    scene.grant("alice", 1);
    scene.advance(SWEEP_AFTER);

    // when
    scene.work();

    // then
    assertThat(scene.order("alice").status()).isEqualTo(OrderStatus.PENDING);
    assertThat(scene.redis().unbookedCount()).isZero();
  }

  @Test
  void shouldLeaveAYoungGrantToTheLogWhenSweeping() {
    // given
    scene.grant("alice", 1);

    // when
    scene.work();

    // then
    assertThat(scene.isBooked("alice")).isFalse();
  }

  @Test
  void shouldSweepAllTheSameWhenTheLogCannotBeRead() {
    // given
    scene.grant("alice", 1);
    scene.advance(SWEEP_AFTER);
    scene.log.readable(false);

    // when
    scene.owner.watchBuckets();

    // then
    assertThat(scene.isBooked("alice")).isTrue();
  }

  @Test
  void shouldRebuildFromTheLedgerWhenRedisComesBackEmpty() {
    // given
    Grant kept = scene.placed("alice", 1);
    Grant ended = scene.placed("bob", 1);
    scene.append(new Command.Cancel(ended.token(), Reason.BUYER));
    scene.work();

    // when
    scene.stock.wipe();
    scene.stock.restart("redis2");
    scene.settle();

    // then
    assertThat(scene.redis().code()).isEqualTo(BucketCode.OK);
    assertThat(scene.redis().available()).isEqualTo(2);
    assertThat(scene.reserve("alice", 1)).isEqualTo(new GrantOutcome.Already(kept, false));
    assertThat(scene.reserve("bob", 1)).isEqualTo(new GrantOutcome.Refused(Refusal.ORDER_ENDED));
  }

  @Test
  void shouldRebuildWhenRedisIsBackWithOldData() {
    // given
    var old = scene.stock.save();
    scene.placed("alice", 3);
    scene.work();

    // when
    scene.stock.restart("redis2");
    scene.stock.restore(old);
    BucketCode before = scene.redis().code();
    scene.settle();

    // then
    assertThat(before).isEqualTo(BucketCode.LOST);
    assertThat(scene.redis().available()).isZero();
  }

  @Test
  void shouldSendEventsAgainWhenTheirAckWasLost() {
    // given
    scene.events.next(InMemoryEvents.Fate.ACK_LOST);
    scene.placed("alice", 1);

    // when
    scene.work();
    scene.work();

    // then
    assertThat(scene.eventTypes()).containsExactly("ORDER_BOOKED", "ORDER_BOOKED");
  }

  @Test
  void shouldKeepAReleaseWhenTheBucketIsAway() {
    // given
    Grant grant = scene.placed("alice", 1);
    scene.work();
    scene.stock.restart("redis2");
    scene.append(new Command.Cancel(grant.token(), Reason.BUYER));

    // when
    scene.work();
    scene.settle();

    // then
    assertThat(scene.redis().available()).isEqualTo(3);
    assertThat(scene.row().free()).isEqualTo(3);
  }

  @Test
  void shouldSayWhenTheHeartbeatWasMadeByTheLedgersClock() {
    // given
    scene.advance(PAYMENT_WINDOW);
    long madeAtMs = scene.ledger.nowMs().result();

    // when
    scene.work();

    // then
    assertThat(scene.heartbeats())
        .last()
        .extracting(beat -> beat.getLong("at"))
        .isEqualTo(madeAtMs);
  }
}
