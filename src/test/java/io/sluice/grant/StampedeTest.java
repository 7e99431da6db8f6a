package io.sluice.grant;

import static io.sluice.grant.Desk.accepted;
import static io.sluice.grant.Desk.answer;
import static io.sluice.grant.Desk.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.grant.PlacedOrder.Accepted;
import io.sluice.grant.PlacedOrder.Refused;
import io.sluice.metrics.Meters;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.Refusal;
import io.sluice.model.SkuSettings;
import io.sluice.stock.InMemoryStock;
import io.sluice.stock.OpenBuckets;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many buyers and few units, with the rules of the scripts behind the desk. */
class StampedeTest {
  private static final BucketId BUCKET = new BucketId(Desk.SKU, 0);
  private static final String RUN_ID = "run-1";

  private final ManualLoop time = new ManualLoop();
  private final InMemoryStock redis =
      new InMemoryStock(InstantSource.fixed(Instant.ofEpochMilli(10_000)), RUN_ID);
  private final SlowStock stock = new SlowStock(redis);
  private final ScriptedLog log = new ScriptedLog();
  private final ScriptedLedger ledger = new ScriptedLedger();
  private final Reservations unit =
      Desk.on(
          ledger.stores(partition -> stock.port(), log),
          time,
          2_000,
          0,
          new Meters(new SimpleMeterRegistry()));

  @Test
  void shouldDeductOnceAndAnswerAlikeWhenCopiesOfARequestComeAtOnce() {
    // given
    load(10);
    List<Future<PlacedOrder>> copies = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      copies.add(place("alice"));
    }

    // when
    stock.answerAll();
    acknowledgeAll();

    // then
    List<Accepted> unacked = copies.stream().map(copy -> (Accepted) answer(copy)).toList();
    assertThat(unacked).extracting(Accepted::order).containsOnly(unacked.get(0).order());
    assertThat(unacked).extracting(Accepted::fresh).containsOnlyOnce(true);
    assertThat(available()).isEqualTo(9);
  }

  @Test
  void shouldGrantEachUnitOnceWhenMoreBuyersComeThanUnits() {
    // given
    load(3);
    List<Future<PlacedOrder>> placed = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      placed.add(place("buyer" + i));
    }

    // when
    stock.answerAll();
    acknowledgeAll();

    // then
    List<PlacedOrder> answers = placed.stream().map(Desk::answer).toList();
    assertThat(answers)
        .filteredOn(Accepted.class::isInstance)
        .extracting(each -> ((Accepted) each).order().seq())
        .containsExactly(1L, 2L, 3L);
    assertThat(answers)
        .filteredOn(Refused.class::isInstance)
        .hasSize(47)
        .allMatch(no -> ((Refused) no).refusal() == Refusal.SOLD_OUT);
  }

  @Test
  void shouldRefuseMoreWhenEvenTheFirstOfAQueueWaitedTooLong() {
    // given
    load(5_000);
    List<Future<PlacedOrder>> placed = new ArrayList<>();
    for (int i = 0; i < 1_500; i++) {
      placed.add(place("buyer" + i));
    }
    boolean fullAtOnce = unit.isFull();

    // when
    time.advance(GrantQueue.TARGET.plus(GrantQueue.INTERVAL));
    stock.answerOne();
    acknowledgeAll();
    PlacedOrder late = answer(place("late"));
    while (!stock.isIdle()) {
      stock.answerOne();
      acknowledgeAll();
    }

    // then
    assertThat(fullAtOnce).isFalse();
    assertThat(((Refused) late).refusal()).isEqualTo(Refusal.BUSY);
    assertThat(placed).allMatch(each -> answer(each) instanceof Accepted);
    assertThat(unit.isFull()).isFalse();
  }

  @Test
  void shouldGetTheSameGrantWhenTheAckWasLost() {
    // given
    load(1);
    Future<PlacedOrder> first = place("alice");
    stock.answerAll();
    log.last().ack().fail("connection closed");

    // when
    Future<PlacedOrder> again = place("alice");
    stock.answerAll();
    acknowledgeAll();

    // then
    assertThat(refusal(first)).isEqualTo(Refusal.UNAVAILABLE);
    assertThat(accepted(again).order().seq()).isEqualTo(1);
    assertThat(log.appends.get(0).commands()).isEqualTo(log.appends.get(1).commands());
  }

  @Test
  void shouldGetTheSameGrantWhenTheReplyWasLost() {
    // given
    load(1);
    Future<PlacedOrder> first = place("alice");
    stock.loseReplyOfOne();

    // when
    Future<PlacedOrder> again = place("alice");
    stock.answerAll();
    acknowledgeAll();

    // then
    assertThat(refusal(first)).isEqualTo(Refusal.UNAVAILABLE);
    assertThat(accepted(again).fresh()).isFalse();
    assertThat(log.appends).as("the grant is durable before the yes").hasSize(1);
  }

  @Test
  void shouldBeBusyWhenRedisWasRestarted() {
    // given
    load(1);
    redis.restart("run-2");
    Future<PlacedOrder> placed = place("alice");

    // when
    stock.answerAll();

    // then
    assertThat(refusal(placed)).isEqualTo(Refusal.BUSY);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void shouldKeepItsPromisesWhenAnythingMayBeLost(long seed) {
    // given
    load(5);
    Random random = new Random(seed);
    Set<Command> durable = new HashSet<>();
    List<Future<PlacedOrder>> placed = new ArrayList<>();

    // when
    for (int step = 0; step < 1_000; step++) {
      step(random, placed, durable);
    }
    stock.answerAll();
    // Requests that waited for room in the log go to Redis only now.
    time.advance(GrantRecorder.ROOM_WAIT_MAX);
    stock.answerAll();
    time.advanceMs(2_000);

    // then
    Map<OrderToken, Order> unacked = new HashMap<>();
    for (Future<PlacedOrder> each : placed) {
      if (answer(each) instanceof Accepted accepted) {
        Order before = unacked.putIfAbsent(accepted.order().token(), accepted.order());
        assertThat(Optional.ofNullable(before).orElse(accepted.order()))
            .isEqualTo(accepted.order());
      }
    }
    Set<OrderToken> inLog = new HashSet<>();
    durable.forEach(command -> inLog.add(((Command.Reserve) command).grant().token()));
    assertThat(unacked).isNotEmpty().hasSizeLessThanOrEqualTo(5);
    assertThat(inLog).as("every yes is in the log").containsAll(unacked.keySet());
  }

  private void step(Random random, List<Future<PlacedOrder>> placed, Set<Command> durable) {
    int what = random.nextInt(10);
    if (what < 4) {
      placed.add(place("buyer" + random.nextInt(9)));
    } else if (what == 4) {
      time.advanceMs(random.nextInt(300));
    } else if (what < 8 && !stock.isIdle()) {
      if (random.nextInt(6) == 0) {
        stock.loseReplyOfOne();
      } else {
        stock.answerOne();
      }
    } else if (!log.appends.isEmpty()) {
      settle(random, log.appends.remove(random.nextInt(log.appends.size())), durable);
    }
  }

  private static void settle(Random random, ScriptedLog.Append append, Set<Command> durable) {
    boolean comesToBe = random.nextInt(4) > 0;
    if (comesToBe) {
      durable.addAll(append.commands());
    }
    if (comesToBe && random.nextInt(3) > 0) {
      append.ack().complete(0L);
    } else {
      append.ack().fail("connection closed");
    }
  }

  private void load(long units) {
    ledger.add(Desk.SKU, 1);
    OpenBuckets.open(redis, BUCKET, units, new SkuSettings(300, 0, 0, 0));
  }

  private long available() {
    return answer(redis.snapshot(BUCKET, List.of(), 0)).available();
  }

  private Future<PlacedOrder> place(String userId) {
    return unit.place(Desk.wish(userId, Desk.SKU, 1, null), SkuEntry.OPEN);
  }

  private void acknowledgeAll() {
    log.appends.forEach(append -> append.ack().tryComplete(1L));
  }
}
