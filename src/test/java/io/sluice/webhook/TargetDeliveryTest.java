package io.sluice.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.async.BackgroundTask;
import io.sluice.async.Poll;
import io.sluice.feed.EventWaits;
import io.sluice.ledger.InMemoryWebhooks;
import io.sluice.ledger.Webhooks.Counts;
import io.sluice.ledger.Webhooks.Delivery;
import io.sluice.ledger.Webhooks.Form;
import io.sluice.ledger.Webhooks.NewWebhook;
import io.sluice.ledger.Webhooks.State;
import io.sluice.ledger.Webhooks.Webhook;
import io.sluice.metrics.Meters;
import io.sluice.monitor.Alarm;
import io.sluice.orderlog.EventPages;
import io.sluice.orderlog.EventPages.Found.Gone;
import io.sluice.orderlog.EventPages.Found.Page;
import io.sluice.testkit.process.LogWatch;
import io.sluice.testkit.register.Raises;
import io.sluice.webhook.WebhookSender.Outcome;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * One target, with a ledger, events and answers that the test decides; no time passes by itself.
 */
class TargetDeliveryTest {
  private static final String ID = "shop";
  private static final String OWNER = "instance-1";
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  private long nowMs = 1_795_248_000_000L;
  private final InMemoryWebhooks ledger = new InMemoryWebhooks(() -> nowMs);
  private final List<String> events = new ArrayList<>();
  private String goneBehind = "";

  /** The status that the target answers to messages of an order; else 200. */
  private final Map<String, Integer> statuses = new HashMap<>();

  private int statusOfOthers = 200;

  /** The order token and version of each message that was sent. */
  private final List<String> sent = new ArrayList<>();

  private Promise<Outcome> held;
  private final List<Promise<Void>> timers = new ArrayList<>();

  private final TargetDelivery.Shared shared =
      new TargetDelivery.Shared(
          ledger,
          new EventWaits(this::page, true, new Poll(this::timer, () -> nowMs * 1_000_000)),
          this::send,
          new RetrySchedule(() -> 0),
          OWNER,
          () -> nowMs * 1_000_000,
          new Meters(new SimpleMeterRegistry()));
  private TargetDelivery unit;

  @BeforeEach
  void put() {
    ledger.put(new NewWebhook(ID, "https://a.example/", SECRET, null, Form.FULL, "0"));
    unit = new TargetDelivery(shared, target());
  }

  private Webhook target() {
    return ledger.webhooks().result().get(0);
  }

  /** A cursor is the number of events before it. */
  private Future<EventPages.Found> page(String after, int limit, boolean heartbeats) {
    if (after.equals(goneBehind)) {
      return Future.succeededFuture(new Gone(1, 2));
    }
    int from = Integer.parseInt(after);
    int to = Math.min(events.size(), from + limit);
    return Future.succeededFuture(
        new Page(List.copyOf(events.subList(from, to)), "" + to, to < events.size()));
  }

  private Future<Outcome> send(Webhook target, Message message) {
    sent.add(message.orderKey() + " " + message.event().replaceAll(".*\"version\":(\\d+).*", "$1"));
    if (held != null) {
      return held.future();
    }
    return Future.succeededFuture(
        Outcome.of(statuses.getOrDefault(message.orderKey(), statusOfOthers)));
  }

  private void event(String orderToken, int version) {
    events.add(
        "{\"type\":\"ORDER_CONFIRMED\",\"order_token\":\"%s\",\"version\":%d,\"at\":1}"
            .formatted(orderToken, version));
  }

  private Future<Void> timer(Duration delay) {
    Promise<Void> timer = Promise.promise();
    timers.add(timer);
    return timer.future();
  }

  /** As often as the instance does; whoever waits looks again. */
  private void lease() {
    Webhook leased = ledger.lease(ID, OWNER, Deliveries.LEASE).result().orElseThrow();
    Counts counts = ledger.counts(ID).result();
    unit.leased(leased, counts, nowMs * 1_000_000, Deliveries.LEASE);
    List<Promise<Void>> due = List.copyOf(timers);
    timers.clear();
    due.forEach(Promise::tryComplete);
  }

  private void leaseAfter(Duration time) {
    nowMs += time.toMillis();
    lease();
  }

  private List<Delivery> parked() {
    return ledger.deliveries(ID, 0, 1_000).result();
  }

  @Test
  void shouldSendAllInOrderAndMoveTheCursor() {
    // given
    IntStream.rangeClosed(1, 250).forEach(version -> event("a", version));

    // when
    lease();

    // then
    assertThat(sent)
        .containsExactlyElementsOf(
            IntStream.rangeClosed(1, 250).mapToObj(version -> "a " + version).toList());
    assertThat(target().cursor()).isEqualTo("250");
    assertThat(parked()).isEmpty();
  }

  @Test
  void shouldNotCountAsStuckWhileASlowTargetAnswers() {
    // given
    int ticks = (int) BackgroundTask.STUCK_AFTER.toSeconds() - 1;
    IntStream.rangeClosed(1, 3).forEach(version -> event("a", version));
    held = Promise.promise();
    lease();

    // when
    List<Boolean> slow = new ArrayList<>();
    for (int answered = 0; answered < 2; answered++) {
      slow.add(isStuckWithin(ticks));
      Promise<Outcome> last = held;
      held = Promise.promise();
      last.complete(Outcome.of(200));
    }
    boolean silent = isStuckWithin(ticks + 1);

    // then
    assertThat(slow).containsExactly(false, false);
    assertThat(silent).isTrue();
  }

  private boolean isStuckWithin(int ticks) {
    return IntStream.range(0, ticks).filter(tick -> unit.isStuck()).count() > 0;
  }

  @Test
  void shouldHoldBackWhatFollowsOfAnOrderWhenOneIsRefused() {
    // given
    statuses.put("a", 500);
    event("a", 1);
    event("b", 1);
    event("a", 2);
    lease();
    event("a", 3);
    event("b", 2);

    // when
    leaseAfter(Duration.ofSeconds(1));
    statuses.clear();
    List<String> before = List.copyOf(sent);
    leaseAfter(Duration.ofSeconds(5));

    // then
    assertThat(before).containsExactly("a 1", "b 1", "b 2");
    assertThat(sent.subList(3, sent.size())).containsExactly("a 1", "a 2", "a 3");
    assertThat(parked()).isEmpty();
    assertThat(target().cursor()).isEqualTo("5");
  }

  @Test
  void shouldParkTheRestWithoutATryWhenTheTargetIsDown() {
    // given
    statusOfOthers = 503;
    IntStream.range(0, 100).forEach(order -> event("order-" + order, 1));

    // when
    lease();
    int tried = sent.size();
    lease();

    // then
    assertThat(tried).isBetween(16, 31);
    assertThat(sent).hasSize(tried);
    assertThat(parked()).hasSize(100);
  }

  @Test
  void shouldGiveUpAfterThreeDaysAndSendAgainWhenReplayed() {
    // given
    statuses.put("a", 500);
    event("a", 1);
    lease();
    for (int hour = 0; hour < 73; hour++) {
      leaseAfter(Duration.ofHours(1));
    }
    List<Delivery> failed = parked();
    int attempts = sent.size();
    leaseAfter(Duration.ofHours(24));

    // when
    statuses.clear();
    ledger.replay(ID);
    lease();

    // then
    assertThat(failed).extracting(Delivery::state).containsExactly(State.FAILED);
    assertThat(sent).hasSize(attempts + 1);
    assertThat(parked()).isEmpty();
  }

  @Test
  @Raises(Alarm.WEBHOOK_STANDS)
  void shouldTellEachHourThatATargetAcceptsNothing() {
    // given
    statuses.put("a", 500);
    event("a", 1);
    lease();
    List<String> lines;

    // when
    try (LogWatch log = LogWatch.of(TargetDelivery.class)) {
      leaseAfter(Duration.ofMinutes(59));
      lines = List.copyOf(log.lines());
      leaseAfter(Duration.ofMinutes(1));
      leaseAfter(Duration.ofMinutes(30));
      leaseAfter(Duration.ofMinutes(30));

      // then
      assertThat(lines).isEmpty();
      assertThat(log.lines())
          .hasSize(2)
          .allMatch(line -> line.startsWith("ERROR " + Alarm.WEBHOOK_STANDS.text()))
          .allMatch(line -> line.contains("webhook=\"shop\""));
    }
  }

  @Test
  void shouldSendNothingMoreToATargetThatIsGone() {
    // given
    statusOfOthers = 410;
    event("a", 1);
    event("b", 1);

    // when
    lease();

    // then
    assertThat(target().stopped()).isEqualTo("answered 410");
    assertThat(target().cursor()).isEqualTo("0");
    assertThat(ledger.lease(ID, OWNER, Deliveries.LEASE).result()).isEmpty();
  }

  @Test
  void shouldLeaveThePageToTheNextInstanceWhenTheLeaseIsOver() {
    // given
    held = Promise.promise();
    event("a", 1);
    event("a", 2);
    lease();

    // when
    nowMs += Deliveries.LEASE.toMillis() + 1;
    ledger.lease(ID, "instance-2", Deliveries.LEASE);
    held.complete(Outcome.of(200));

    // then
    assertThat(sent).containsExactly("a 1");
    assertThat(target().cursor()).isEqualTo("0");
  }

  @Test
  void shouldGoOnWithTheOldestEventsWhenSomeAreGone() {
    // given
    event("a", 1);
    lease();
    goneBehind = "1";
    event("a", 2);

    // when
    lease();

    // then
    assertThat(sent).containsExactly("a 1", "a 1", "a 2");
    assertThat(target().cursor()).isEqualTo("2");
    assertThat(ledger.counts(ID).result().waiting()).isZero();
  }

  @Test
  void shouldSendOnlyTheTypesThatAreWanted() {
    // given
    ledger.put(new NewWebhook(ID, null, null, "ORDER_BOOKED,ORDER_CANCELED", null, null));
    event("a", 1);
    events.add("{\"type\":\"ORDER_CANCELED\",\"order_token\":\"a\",\"version\":2,\"at\":1}");

    // when
    lease();

    // then
    assertThat(sent).containsExactly("a 2");
  }
}
