package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.ManualLoop;
import io.sluice.ledger.Batches;
import io.sluice.ledger.Fence;
import io.sluice.ledger.InMemoryLedger;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.ledger.Step;
import io.sluice.metrics.TestMeters;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.OrderToken;
import io.sluice.model.OrderTokens;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.orderlog.Event;
import io.sluice.orderlog.InMemoryEvents;
import io.sluice.orderlog.InMemoryEvents.Published;
import io.sluice.orderlog.InMemoryOrderLog;
import io.sluice.stock.InMemoryStock;
import io.sluice.testkit.ManualClock;
import io.sluice.tracing.Traces;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The outbox of a partition that is not the first. */
class OutboxRelaysTest {
  private static final int PARTITION = 1;
  private static final Duration GATHER = Duration.ofMillis(OutboxRelays.GATHER_MS);
  private static final long SKU = 1001;
  private static final int BUCKETS = 16;
  private static final int ROWS = 2 * EventRelay.EVENT_ROWS_MAX + 1;

  private final ManualClock clock = new ManualClock();
  private final InMemoryLedger ledger = new InMemoryLedger(2, clock);
  private final InMemoryEvents events = new InMemoryEvents();
  private final Fence fence = ledger.takeOver(PARTITION, 0).result();
  private final Deque<Promise<Void>> pauses = new ArrayDeque<>();
  private final OwnerContext context =
      OwnerContext.of(
          new Ownership(fence, new KnownFences(), () -> {}),
          ledger,
          new InMemoryStock(clock, "redis1"),
          new InMemoryOrderLog(),
          events,
          this::after,
          TestMeters.ofOwner(),
          Traces.OFF);
  private final OrderTokens tokens = new OrderTokens(new byte[16]);
  private final BucketId bucket = bucket();
  private long numbered;
  private boolean isStampede;
  private final ManualLoop time = new ManualLoop();
  private final OutboxRelays unit =
      new OutboxRelays(
          context,
          () -> time.loop().timers().after(GATHER),
          new Rebuilder(context, Duration.ofSeconds(2)),
          partition -> context.stock(),
          moved -> {},
          () -> isStampede);

  @Test
  void shouldSendToItsOwnPartition() {
    // given
    leaveLetters(1);

    // when
    unit.wakeAll();

    // then
    assertThat(events.letters()).extracting(Published::partition).containsExactly(PARTITION);
    assertThat(events.letters().get(0).event().key()).isEqualTo("partition-" + PARTITION);
    assertThat(events.published())
        .singleElement()
        .satisfies(heartbeat -> assertThat(heartbeat.partition()).isEqualTo(PARTITION))
        .satisfies(
            heartbeat -> assertThat(heartbeat.event().payload()).contains("\"partition\":1"));
  }

  @Test
  void shouldSendTheHeartbeatThatIsDueBehindAllEvents() {
    // given
    book(ROWS);

    // when
    wakeAll();

    // then
    assertThat(events.published()).hasSize(ROWS + 1);
    assertThat(events.published().get(ROWS).event().type()).isEqualTo(Event.HEARTBEAT);
  }

  @Test
  void shouldLookAgainBehindAPageThatIsNotFullOnlyWhereNoCommitTells() {
    // given
    book(1);

    // when
    boolean moreOfOthers = new EventRelay(context, PARTITION).relayEvents().result();
    book(1);
    boolean moreOfOwn = new EventRelay(context).relayEvents().result();
    boolean moreOfNothing = new EventRelay(context, PARTITION).relayEvents().result();

    // then
    assertThat(moreOfOthers).isTrue();
    assertThat(moreOfOwn).isFalse();
    assertThat(moreOfNothing).isFalse();
    assertThat(booked()).isEqualTo(2);
  }

  @Test
  void shouldNoteWhatWasSentOnceGrantsNoLongerHavePriority() {
    // given
    endPause();
    book(1);
    isStampede = true;
    wakeAll();
    endPause();
    boolean isLeftInTheStampede = ledger.hasSentEvents();

    // when
    isStampede = false;
    endPause();

    // then
    assertThat(isLeftInTheStampede).isTrue();
    assertThat(ledger.hasSentEvents()).isFalse();
    assertThat(pauses).as("nothing more is sent").isEmpty();
  }

  @Test
  void shouldNoteWhatWasSentNowAndThenInAStampedeWithoutEnd() {
    // given
    book(1);
    isStampede = true;
    wakeAll();

    // when
    for (int i = 1; i < OutboxRelays.NOTE_RESTS_MAX; i++) {
      endPause();
    }
    boolean isLeft = ledger.hasSentEvents();
    endPause();

    // then
    assertThat(isLeft).isTrue();
    assertThat(ledger.hasSentEvents()).isFalse();
  }

  @Test
  void shouldSendTheEventsOfSeveralCommitsTogether() {
    // given
    book(1);
    unit.committed(Set.of(OutboxKind.EVENT));
    time.advance(GATHER.minusMillis(1));
    book(1);
    unit.committed(Set.of(OutboxKind.EVENT));
    int early = booked();

    // when
    time.advanceMs(1);

    // then
    assertThat(early).isZero();
    assertThat(booked()).isEqualTo(2);
    assertThat(time.timersSet()).isZero();
  }

  @Test
  void shouldSendAtOnceWhatSomebodyWaitsFor() {
    // given
    book(1);
    unit.committed(Set.of(OutboxKind.EVENT));

    // when
    unit.wake(OutboxKind.EVENT);

    // then
    assertThat(booked()).isEqualTo(1);
  }

  @Test
  void shouldNotLookAgainWhenAllThatWasGatheredIsSent() {
    // given
    unit.committed(Set.of(OutboxKind.EVENT));
    unit.wake(OutboxKind.EVENT);
    book(1);

    // when
    time.advance(GATHER);

    // then
    assertThat(booked()).isZero();
  }

  @Test
  void shouldSendWithTheSecondGlanceIfEventsAreGatheredForEver() {
    // given
    book(1);
    unit.committed(Set.of(OutboxKind.EVENT));
    unit.wakeAll();
    int early = booked();

    // when
    unit.wakeAll();

    // then
    assertThat(early).isZero();
    assertThat(booked()).isEqualTo(1);
  }

  @Test
  void shouldSendDeadLettersWithTheirCommit() {
    // given
    leaveLetters(1);

    // when
    unit.committed(Set.of(OutboxKind.EVENT, OutboxKind.DEAD));

    // then
    assertThat(events.letters()).hasSize(1);
  }

  private void wakeAll() {
    unit.wakeAll();
    time.advance(GATHER);
  }

  private void endPause() {
    pauses.remove().complete();
  }

  private Future<Void> after(Duration delay) {
    assertThat(delay).isEqualTo(OutboxRelays.NOTE_AFTER);
    pauses.add(Promise.promise());
    return pauses.getLast().future();
  }

  private int booked() {
    return (int)
        events.published().stream()
            .filter(one -> one.event().type().equals("ORDER_BOOKED"))
            .count();
  }

  private void leaveLetters(int count) {
    for (int i = 0; i < count; i++) {
      Batches.apply(ledger, Step.check(fence), List.of(new Command.Malformed("?", "not JSON")));
    }
  }

  /** One row each. */
  private void book(int orders) {
    for (int i = 0; i < orders; i++) {
      OrderToken token = tokens.tokenFor("buyer" + numbered, bucket, null);
      Grant grant =
          Grants.of(token, "buyer" + numbered, 1, ++numbered, 1, clock.millis(), Long.MAX_VALUE);
      Batches.apply(ledger, Step.check(fence), List.of(new Command.Reserve(grant, null)));
    }
  }

  private BucketId bucket() {
    ledger.put(new NewSku(SKU, 1_000, BUCKETS, Sku.Mode.FAST, new SkuSettings(300, 0, 0, 0)));
    return IntStream.range(0, BUCKETS)
        .mapToObj(number -> new BucketId(SKU, number))
        .filter(id -> ledger.bucket(id).result().orElseThrow().partition() == PARTITION)
        .findAny()
        .orElseThrow();
  }
}
