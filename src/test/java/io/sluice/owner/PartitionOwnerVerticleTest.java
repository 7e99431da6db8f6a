package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.async.Backoff;
import io.sluice.async.ExecutionSequencer;
import io.sluice.ledger.LedgerUnavailableException;
import io.sluice.ledger.SkuLedger.RestockResult;
import io.sluice.model.OrderStatus;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.StockUnavailableException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** An owner's life cycle and timers, as managed by its supervisor. */
class PartitionOwnerVerticleTest {
  private static final int PARTITION = SupervisorScene.PARTITION;
  private static final Duration FIRST_COMPARISON = Duration.ofSeconds(14);
  private static final LedgerUnavailableException AWAY =
      new LedgerUnavailableException("away", null);

  private final SupervisorScene scene = SupervisorScene.withPartition();

  /** One that begins when the test says so. */
  private final SupervisorScene other = new SupervisorScene();

  @Test
  void shouldCancelWhatIsNotPaidInTime() {
    // given
    scene.sellTo("alice");

    // when
    scene.advance(305);

    // then
    assertThat(scene.order("alice").status()).isEqualTo(OrderStatus.CANCELED);
  }

  /** Owners compare the history of Redis every second. */
  @Test
  void shouldStillLookAtRedisEachSecondWhenItWritesNothing() {
    // given
    scene.sell(3);
    scene.advance(30);
    scene.calls.of("stamp").clear();
    scene.calls.of("areQuiet").clear();
    scene.calls.of("snapshot").clear();

    // when
    scene.advance(10);

    // then
    assertThat(scene.calls.of("stamp")).hasSizeBetween(9, 11);
    assertThat(scene.calls.of("areQuiet")).isEmpty();
    assertThat(scene.calls.of("snapshot")).as("comparisons").hasSizeLessThanOrEqualTo(2);
  }

  /** A connection that is only slow to open is no fault of Redis. */
  @Test
  void shouldNotAskRedisBeforeItIsConnectedOrCannotBe() {
    // given
    Promise<Void> attempt = Promise.promise();
    other.connected = attempt.future();
    other.beginWithPartition();
    other.advance(3);
    int asked = other.calls.of("stamp").size();

    // when
    attempt.fail(new StockUnavailableException("away", null));
    other.advance(1);

    // then
    assertThat(other.hasOwner()).isTrue();
    assertThat(asked).isZero();
    assertThat(other.calls.of("stamp")).isNotEmpty();
  }

  private int comparisons() {
    return scene.calls.of("reported").size();
  }

  /** The first time sooner, when it is the turn of this partition. */
  @Test
  void shouldCompareRedisWithTheLedgerAsOftenAsItIsTold() {
    // when
    scene.advance(FIRST_COMPARISON.minusSeconds(1));
    int early = comparisons();
    scene.advance(2);
    int first = comparisons();
    scene.advance(SupervisorScene.RECONCILE_EVERY.minusSeconds(2));
    int between = comparisons();
    scene.advance(2);

    // then
    assertThat(early).isZero();
    assertThat(first).isEqualTo(1);
    assertThat(between).isEqualTo(1);
    assertThat(comparisons()).isEqualTo(2);
    assertThat(scene.ledger.reports().result()).containsKey(PARTITION);
  }

  /** Each takes a transaction, so together they would keep payments waiting. */
  @Test
  void shouldCompareItsPartitionsOneAfterTheOther() {
    // given
    scene.assign(0);

    // when
    scene.advance(FIRST_COMPARISON.plusSeconds(1));
    Set<Integer> first = Set.copyOf(scene.ledger.reports().result().keySet());
    scene.advance(SupervisorScene.RECONCILE_EVERY.minus(FIRST_COMPARISON));

    // then
    assertThat(first).containsExactly(PARTITION);
    assertThat(scene.ledger.reports().result().keySet()).containsExactlyInAnyOrder(0, PARTITION);
  }

  @Test
  void shouldBringARestockToRedisSoon() {
    // given
    scene.sell(3);
    long skuId = SupervisorScene.BUCKET.skuId();

    // when
    RestockResult result = scene.ledger.restock(skuId, "r1", 5).result();
    scene.advance(PartitionOwnerVerticle.OUTBOX_EVERY);

    // then
    assertThat(result).isInstanceOf(RestockResult.Done.class);
    assertThat(scene.stock.snapshot(SupervisorScene.BUCKET, List.of(), 0).result().total())
        .isEqualTo(8);
  }

  @Test
  void shouldStartOverWhenItsWorkStandsStill() {
    // given
    scene.sell(3);
    scene.calls.instead.put("apply", call -> Promise.promise().future());
    scene.placed("alice");
    scene.poll();
    scene.advance(ExecutionSequencer.STUCK_AFTER.plusSeconds(1));

    // when
    scene.calls.instead.remove("apply");
    scene.advance(PartitionOwnerVerticle.STOP_MAX.plusSeconds(1));
    scene.poll();
    scene.poll();

    // then
    assertThat(scene.takeOvers()).isEqualTo(2);
    assertThat(scene.isBooked("alice")).isTrue();
  }

  @Test
  void shouldDeleteWhatWasSentLongAgoNowAndThen() {
    // when
    scene.advance(PartitionOwnerVerticle.PURGE_EVERY);

    // then
    assertThat(scene.calls.of("purge")).hasSize(1);
  }

  @Test
  void shouldTryToTakeOverUntilItCan() {
    // given
    other.calls.fail("takeOver", AWAY);
    other.beginWithPartition();
    other.advance(10);
    int tries = other.takeOvers();

    // when
    other.calls.instead.remove("takeOver");
    other.advance(Backoff.MAX);

    // then
    assertThat(tries).as("50 ms, then twice as long each time, 2 s at most").isBetween(8, 11);
    assertThat(other.hasOwner()).isTrue();
    assertThat(other.takeOvers()).isEqualTo(tries + 1);
  }

  @Test
  void shouldTryNoMoreToTakeOverWhenThePartitionIsGone() {
    // given
    other.calls.fail("takeOver", AWAY);
    other.beginWithPartition();
    other.advance(10);

    // when
    other.revoke(PARTITION);
    other.calls.of("takeOver").clear();
    other.advance(10);

    // then
    assertThat(other.takeOvers()).isZero();
  }

  @Test
  void shouldNotBeginWhenItTookOverAfterItsEnd() {
    // given
    Promise<Object> answer = Promise.promise();
    other.calls.instead.put("takeOver", call -> answer.future());
    other.beginWithPartition();
    other.revoke(PARTITION);

    // when
    answer.complete(other.ledger.takeOver(PARTITION, 0).result());
    other.vertx.run();

    // then
    assertThat(other.calls.of("startAt")).isEmpty();
    assertThat(other.hasOwner()).isFalse();
  }

  @Test
  void shouldEndOnlyWhenItsTakeOverHasEnded() {
    // given
    Promise<Object> answer = Promise.promise();
    other.calls.instead.put("takeOver", call -> answer.future());
    other.beginWithPartition();

    // when
    Future<Void> gone = other.consumer().revoke(Set.of(PARTITION));
    other.vertx.run();
    boolean goneBefore = gone.isComplete();
    answer.fail(AWAY);
    other.vertx.run();

    // then
    assertThat(goneBefore).as("while the take-over may still come through").isFalse();
    assertThat(gone.succeeded()).isTrue();
    assertThat(other.connectionsOpen).as("that of the supervisor").isEqualTo(1);
  }

  @Test
  void shouldCloseItsConnectionOnceItsWorkHasEnded() {
    // given
    scene.sell(3);
    Promise<Object> answer = Promise.promise();
    scene.calls.instead.put("apply", call -> answer.future());
    scene.placed("alice");
    scene.poll();

    // when
    scene.revoke(PARTITION);
    int whileItWorks = scene.connectionsOpen;
    answer.fail(AWAY);
    scene.vertx.run();

    // then
    assertThat(whileItWorks).isEqualTo(2);
    assertThat(scene.connectionsOpen).isEqualTo(1);
  }

  @Test
  void shouldCloseItsConnectionAfterAWhileWhenItsWorkDoesNotEnd() {
    // given
    scene.sell(3);
    scene.calls.instead.put("apply", call -> Promise.promise().future());
    scene.placed("alice");
    scene.poll();

    // when
    scene.revoke(PARTITION);
    scene.advance(PartitionOwnerVerticle.STOP_MAX.minus(Duration.ofMillis(1)));
    int tooEarly = scene.connectionsOpen;
    scene.advance(Duration.ofMillis(1));

    // then
    assertThat(tooEarly).isEqualTo(2);
    assertThat(scene.connectionsOpen).isEqualTo(1);
  }

  @Test
  void shouldDoNothingMoreOnceItHasEnded() {
    // given
    scene.sell(3);
    Future<Void> ended = scene.end();

    // when
    GrantOutcome granted = scene.reserve("alice");
    scene.vertx.advance(Duration.ofSeconds(20));

    // then
    assertThat(ended.succeeded()).isTrue();
    assertThat(granted).isInstanceOf(GrantOutcome.Granted.class);
    assertThat(scene.isBooked("alice")).isFalse();
  }
}
