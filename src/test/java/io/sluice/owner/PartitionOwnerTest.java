package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.async.BackgroundTask;
import io.sluice.async.ExecutionSequencer;
import io.sluice.ledger.BucketRow.LoadRow;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.Reason;
import io.sluice.monitor.Alarm;
import io.sluice.orderlog.LogBatch;
import io.sluice.orderlog.LogBatch.LogRecord;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockUnavailableException;
import io.sluice.testkit.process.LogWatch;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionOwnerTest {
  private final OwnerScene scene = OwnerScene.withStock(3);
  private long polled;

  @Test
  void shouldPublishEventsAsSoonAsTheyAreCommitted() {
    // given
    Grant grant = scene.grant("alice", 1);

    // when
    poll(new Command.Reserve(grant, null));

    // then
    assertThat(scene.eventTypes()).containsExactly("ORDER_BOOKED");
  }

  @Test
  void shouldTellItsHostOfOrdersAsSoonAsTheyAreCommitted() {
    // given
    Grant grant = scene.grant("alice", 1);

    // when
    poll(new Command.Reserve(grant, null));
    poll(new Command.Confirm(grant.token()));

    // then
    assertThat(scene.committed.values())
        .containsExactly(scene.ledger.orders(List.of(grant.token())).result().get(grant.token()));
    assertThat(scene.committedUpTo)
        .isEqualTo(scene.ledger.fences().result().get(OwnerScene.PARTITION));
  }

  @Test
  void shouldPublishDeadLettersAsSoonAsTheyAreCommitted() {
    // when
    polled(new Command.Malformed("nonsense", "Expected a command, but got nonsense"));

    // then
    assertThat(scene.events.letters())
        .extracting(letter -> letter.event().key())
        .containsExactly("partition-" + OwnerScene.PARTITION);
  }

  @Test
  void shouldPutUnitsBackOnSaleAsSoonAsTheirEndIsCommitted() {
    // given
    Grant grant = scene.grant("alice", 3);
    poll(new Command.Reserve(grant, null));

    // when
    poll(new Command.Cancel(grant.token(), Reason.BUYER));

    // then
    assertThat(scene.redis().available()).isEqualTo(3);
  }

  @Test
  void shouldTakeOutOfUnbookedAsSoonAsItIsCommitted() {
    // given
    Grant grant = scene.grant("alice", 1);

    // when
    poll(new Command.Reserve(grant, null));

    // then
    assertThat(scene.redis().unbookedCount()).isZero();
  }

  @Test
  void shouldLetAnOrderBeFoundByItsEventOnceTheLedgerIsBack() {
    // given
    scene.calls.once("noteSent", call -> Future.failedFuture("away"));
    poll(new Command.Reserve(scene.grant("alice", 1), null));
    boolean isSent = scene.ledger.hasSentEvents();

    // when
    scene.advance(OutboxRelays.NOTE_AFTER);
    boolean isLeft = scene.ledger.hasSentEvents();
    scene.advance(OutboxRelays.NOTE_AFTER);

    // then
    assertThat(isSent).isTrue();
    assertThat(isLeft).isTrue();
    assertThat(scene.ledger.hasSentEvents()).isFalse();
  }

  @Test
  void shouldRebuildAtOnceWhenAGrantFindsNoRoomInTheLedger() {
    // given
    scene.ledger.plantHeld(OwnerScene.BUCKET, 3);
    Grant grant = scene.grant("alice", 1);

    // when then
    pollRaises(Alarm.GATE_FULL, new Command.Reserve(grant, null));
  }

  @Test
  void shouldSetTheSecondOrderAsideAndRebuildWhenTwoClaimOneSeq() {
    // given
    Grant alice = scene.grant("alice", 1);
    Grant bob = scene.grant("bob", 1);
    Grant again = Grants.withSeq(bob, alice.seq());

    // when
    pollRaises(
        Alarm.SEQ_GRANTED_TWICE,
        new Command.Reserve(alice, null),
        new Command.Reserve(again, null));

    // then
    assertThat(scene.isBooked("alice")).isTrue();
    assertThat(scene.isBooked("bob")).isFalse();
  }

  @Test
  void shouldRebuildAtOnceWhenTheLogHasGrantsOfAnUnknownEpoch() {
    // given
    Grant known = scene.grant("alice", 1);
    Grant ahead = Grants.inEpoch(known, known.epoch() + 5);

    // when
    pollRaises(Alarm.EPOCH_AHEAD, new Command.Reserve(ahead, null));

    // then
    assertThat(scene.isBooked("alice")).isTrue();
  }

  @Test
  void shouldStepDownWhenATransactionStandsStill() {
    // given
    Grant grant = scene.grant("alice", 1);
    scene.calls.instead.put("apply", call -> Promise.promise().future());
    poll(new Command.Reserve(grant, null));

    // when
    watchWork(ExecutionSequencer.STUCK_AFTER.toSeconds() - 1);
    boolean tooEarly = scene.lost;
    watchWork(1);

    // then
    assertThat(tooEarly).isFalse();
    assertThat(scene.lost).isTrue();
  }

  @Test
  void shouldStepDownWhenAPassStandsStill() {
    // given
    scene.calls.instead.put("stamp", call -> Promise.promise().future());
    scene.owner.watchBuckets();

    // when
    watchWork(BackgroundTask.STUCK_AFTER.toSeconds() - 1);
    boolean tooEarly = scene.lost;
    watchWork(1);

    // then
    assertThat(tooEarly).isFalse();
    assertThat(scene.lost).isTrue();
  }

  /** As when a bucket with millions of orders is loaded; a payment may wait for it, or nothing. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldNotStepDownWhileALongLoadGoesOn(boolean isAwaited) {
    // given
    Grant grant = scene.grant("alice", 1);
    Queue<Promise<Object>> pages = loadSlowly();
    if (isAwaited) {
      poll(new Command.Reserve(grant, null));
    }

    // when
    for (long second = 0; second < 2 * BackgroundTask.STUCK_AFTER.toSeconds(); second++) {
      watchWork(1);
      pages.remove().complete(fullPage(grant));
    }

    // then
    assertThat(scene.lost).isFalse();
    assertThat(scene.isBooked("alice")).as("booked before the load has ended").isFalse();
    pages.remove().complete(List.of());
    assertThat(scene.lost).isFalse();
  }

  /** Loads the bucket, whose pages the test answers. */
  private Queue<Promise<Object>> loadSlowly() {
    Queue<Promise<Object>> pages = new ArrayDeque<>();
    scene.calls.instead.put(
        "loadRows",
        call -> {
          Promise<Object> page = Promise.promise();
          pages.add(page);
          return page.future();
        });
    scene.calls.answer("loadPage", BucketCode.OK);
    scene.stock.wipe();
    scene.work();
    scene.advance(Duration.ofSeconds(3));
    return pages;
  }

  /** Reading the fence each second is cheap; a transaction each second would not be. */
  @Test
  void shouldNotDoubtAFenceThatTheLedgerStillHas() {
    // given
    scene.calls.of("apply").clear();
    scene.calls.of("glance").clear();

    // when
    scene.owner.watchFence();

    // then
    assertThat(scene.calls.of("glance")).hasSize(1);
    assertThat(scene.calls.of("apply")).isEmpty();
  }

  @Test
  void shouldRaiseAnAlarmWhenABucketStaysShut() {
    // given
    scene.stock.wipe();
    scene.calls.fail("freeze", new StockUnavailableException("away", null));
    scene.work();

    // when
    try (LogWatch logs = LogWatch.of(RebuildQueue.class)) {
      watchWork(RebuildQueue.ALARM_EVERY.toSeconds());

      // then
      assertThat(logs.alarms()).hasSize(1);
    }
  }

  private void watchWork(long seconds) {
    for (long second = 0; second < seconds; second++) {
      scene.owner.watchWork();
    }
  }

  /** Delivers a record to the owner without firing any timer. */
  private void poll(Command... commands) {
    scene.append(commands);
    polled(commands);
  }

  private void polled(Command... commands) {
    long offset = polled++;
    LogRecord entry = new LogRecord(offset, 0, true, Arrays.asList(commands));
    scene.owner.polled(new LogBatch(OwnerScene.PARTITION, offset, offset + 1, List.of(entry)));
  }

  /** Delivers a record; its bucket is rebuilt, and this alarm is raised. */
  private void pollRaises(Alarm alarm, Command... commands) {
    scene.calls.of("freeze").clear();
    try (LogWatch logs = LogWatch.of(PartitionOwner.class)) {
      poll(commands);
      assertThat(logs.alarms()).singleElement().asString().contains(alarm.text());
    }
    assertThat(scene.calls.of("freeze"))
        .extracting(call -> call[0])
        .containsExactly(OwnerScene.BUCKET);
  }

  private static Object fullPage(Grant grant) {
    return Collections.nCopies(BucketLoader.PAGE_MAX, new LoadRow(grant, 0, false));
  }
}
