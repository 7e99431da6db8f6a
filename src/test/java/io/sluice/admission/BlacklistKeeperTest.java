package io.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.admission.AdmissionLimits.Excess;
import io.sluice.admission.AdmissionLimits.OrderVerdict;
import io.sluice.admission.BlacklistKeeper.BlacklistEvent;
import io.sluice.config.Config.AdmissionConfig;
import io.sluice.ledger.Blacklist.Ban;
import io.sluice.ledger.Blacklist.Terms;
import io.sluice.ledger.InMemoryBlacklist;
import io.sluice.ledger.Put;
import io.sluice.metrics.Meters;
import io.sluice.model.IfMatch;
import io.sluice.orderlog.Event;
import io.sluice.orderlog.EventPublisher;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Two instances on one ledger and one topic. */
class BlacklistKeeperTest {
  private static final int BAN_S = 600;
  private static final int WATCH_S = 1_800;

  private long nowMs = 1_795_248_000_000L;
  private boolean topicAway;
  private final InMemoryBlacklist ledger = new InMemoryBlacklist(() -> nowMs);
  private final List<Instance> listening = new ArrayList<>();
  private final Instance one = new Instance();
  private final Instance two = new Instance();

  private final class Instance implements EventPublisher {
    final AdmissionLimits limits =
        new AdmissionLimits(
            new AdmissionConfig(0, 0, 1, 0, 2, BAN_S, WATCH_S, 20),
            List.of(),
            new BannedBuyers(this::nanos),
            this::nanos,
            new Meters(new SimpleMeterRegistry()));
    final BlacklistKeeper keeper =
        new BlacklistKeeper(
            ledger,
            this,
            4,
            limits,
            new Terms(Duration.ofSeconds(BAN_S), Duration.ofSeconds(WATCH_S)),
            Runnable::run,
            this::nanos,
            new Meters(new SimpleMeterRegistry()));

    Instance() {
      listening.add(this);
    }

    /** A clock of its own, which tells no time of day. */
    private long nanos() {
      return (nowMs - 1_795_000_000_000L) * 1_000_000;
    }

    @Override
    public Future<Void> publish(int partition, List<Event> events) {
      if (topicAway) {
        return Future.failedFuture("away");
      }
      events.forEach(event -> listening.forEach(instance -> instance.keeper.hear(event)));
      return Future.succeededFuture();
    }

    @Override
    public Future<Void> deadLetter(int partition, List<Event> letters) {
      return Future.succeededFuture();
    }

    /** Orders with new keys until a limit answers. */
    String overrun(String buyer) {
      for (int i = 0; i < 10; i++) {
        if (limits.ofBuyer(buyer) == null
            && limits.ofOrder(buyer, new long[] {1}, "key-" + i) instanceof OrderVerdict.Over over
            && over.excess().limit().policy().equals("blacklist")) {
          return "banned";
        }
      }
      return "limited";
    }

    /** Seconds that are left of a ban; 0 where there is none. */
    int bannedS(String buyer) {
      Excess ban = limits.ofBuyer(buyer);
      return ban == null ? 0 : ban.retryAfterS();
    }

    void tick(int times) {
      for (int i = 0; i < times; i++) {
        keeper.tick();
      }
    }
  }

  @Test
  void shouldRefuseEverywhereWhenOneInstanceBans() {
    // when
    String answer = one.overrun("alice");

    // then
    assertThat(answer).isEqualTo("banned");
    assertThat(one.bannedS("alice")).isEqualTo(BAN_S);
    assertThat(two.bannedS("alice")).isEqualTo(BAN_S);
    assertThat(two.bannedS("bob")).isZero();
    assertThat(ledger.find("alice").result().bans().get(0).bannedBy()).isEqualTo("sluice");
  }

  @Test
  void shouldKnowTheBanWhenAnInstanceStarts() {
    // given
    one.overrun("alice");
    nowMs += 100_000;

    // when
    Instance three = new Instance();
    boolean loaded = three.keeper.load().succeeded();

    // then
    assertThat(loaded).isTrue();
    assertThat(three.bannedS("alice")).isEqualTo(BAN_S - 100);
  }

  @Test
  void shouldNotLoadWhenTheLedgerIsAway() {
    // given
    ledger.away = true;

    // then
    assertThat(two.keeper.load().failed()).isTrue();
  }

  @Test
  void shouldReadTheBanWhenItsEventIsLost() {
    // given
    topicAway = true;
    one.overrun("alice");
    int before = two.bannedS("alice");

    // when
    two.tick(BlacklistKeeper.READ_EVERY);

    // then
    assertThat(before).isZero();
    assertThat(two.bannedS("alice")).isEqualTo(BAN_S);
  }

  @Test
  void shouldHoldHereAndBeWrittenLaterWhenTheLedgerIsAway() {
    // given
    ledger.away = true;
    one.overrun("alice");
    one.tick(BlacklistKeeper.READ_ALL_EVERY);
    int here = one.bannedS("alice");
    int there = two.bannedS("alice");

    // when
    nowMs += 30_000;
    ledger.away = false;
    one.tick(1);

    // then
    assertThat(here).isEqualTo(BAN_S);
    assertThat(there).isZero();
    assertThat(one.bannedS("alice")).isEqualTo(BAN_S - 30);
    assertThat(two.bannedS("alice")).isEqualTo(BAN_S - 30);
  }

  @Test
  void shouldWriteTheBansThatWaitWhenTheInstanceEnds() {
    // given
    ledger.away = true;
    one.overrun("alice");
    nowMs += 10_000;
    ledger.away = false;

    // when
    boolean closed = one.keeper.close().succeeded();

    // then
    assertThat(closed).isTrue();
    assertThat(two.bannedS("alice")).isEqualTo(BAN_S - 10);
  }

  @Test
  void shouldEndWhenTheLastBansCannotBeWritten() {
    // given
    ledger.away = true;
    one.overrun("alice");

    // when
    boolean closed = one.keeper.close().succeeded();

    // then
    assertThat(closed).isTrue();
    assertThat(ledger.find("alice").failed()).isTrue();
  }

  @Test
  void shouldForgetBansWhenMoreWaitThanHavePlace() {
    // given
    ledger.away = true;
    for (int i = 0; i <= BlacklistKeeper.WAITING_MAX; i++) {
      one.overrun("buyer-" + i);
    }

    // when
    ledger.away = false;
    one.tick(1);

    // then
    String last = "buyer-" + BlacklistKeeper.WAITING_MAX;
    assertThat(two.bannedS("buyer-0")).isEqualTo(BAN_S);
    assertThat(two.bannedS("buyer-" + (BlacklistKeeper.WAITING_MAX - 1))).isEqualTo(BAN_S);
    assertThat(two.bannedS(last)).isZero();
    assertThat(one.bannedS(last)).isEqualTo(BAN_S);
  }

  /** Each event of a burst had the whole burst read again. */
  @Test
  void shouldReadABurstOfBansOnce() {
    // given
    ledger.away = true;
    IntStream.range(0, 100).forEach(i -> one.overrun("buyer-" + i));
    ledger.away = false;
    int before = ledger.reads;

    // when
    one.tick(1);

    // then
    assertThat(two.bannedS("buyer-99")).isEqualTo(BAN_S);
    assertThat(ledger.reads - before).isEqualTo(1);
  }

  @Test
  void shouldAdmitEverywhereWhenAnOperatorLiftsTheBan() {
    // given
    one.overrun("alice");

    // when
    two.keeper.lift("alice", IfMatch.NOTHING, "olga");

    // then
    assertThat(one.bannedS("alice")).isZero();
    assertThat(two.bannedS("alice")).isZero();
    assertThat(one.limits.ofOrder("alice", new long[] {1}, "new"))
        .isInstanceOf(OrderVerdict.Counted.class);
  }

  @Test
  void shouldKeepTheBanWhenABuyerWasPardonedBefore() {
    // given
    one.keeper.lift("alice", IfMatch.NOTHING, "olga");
    nowMs += 70_000;
    one.tick(BlacklistKeeper.READ_EVERY);
    ledger.away = true;
    one.overrun("alice");

    // when
    ledger.away = false;
    two.tick(BlacklistKeeper.READ_ALL_EVERY);
    one.keeper.load();

    // then
    assertThat(one.bannedS("alice")).isEqualTo(BAN_S);
  }

  @Test
  void shouldBanAsLongAsAnOperatorSays() {
    // when
    two.keeper.put("alice", Duration.ofSeconds(5), "a test", Put.WHOLE, "olga");

    // then
    assertThat(one.bannedS("alice")).isEqualTo(5);
    nowMs += 5_000;
    assertThat(one.bannedS("alice")).isZero();
    assertThat(one.overrun("alice")).isEqualTo("banned");
  }

  @Test
  void shouldBanAtTheFirstOverrunWhenAnotherInstancesBanEndedLatelyBeforeTheStart() {
    // given
    one.overrun("alice");
    nowMs += (BAN_S + WATCH_S) * 1_000L - 1;
    Instance three = new Instance();
    three.keeper.load();

    // when
    int before = three.bannedS("alice");
    three.limits.ofOrder("alice", new long[] {1}, "within the limit");
    three.limits.ofOrder("alice", new long[] {1}, "the only overrun");

    // then
    assertThat(before).isZero();
    assertThat(three.bannedS("alice")).isEqualTo(BAN_S);
  }

  /** It had a version that no later change of the ledger reached, so it could not be lifted. */
  @Test
  void shouldBanNobodyWhenOnlyAnEventSaysSo() {
    // given
    Event forged =
        new BlacklistEvent(
                new Ban("alice", nowMs, Long.MAX_VALUE, 0, "forged", "mallory", Long.MAX_VALUE),
                nowMs)
            .written();

    // when
    boolean heard = one.keeper.hear(forged);

    // then
    assertThat(heard).isTrue();
    assertThat(one.bannedS("alice")).isZero();
  }

  @Test
  void shouldIgnoreOtherEvents() {
    assertThat(one.keeper.hear(new Event("HEARTBEAT", "k", "{}"))).isFalse();
    assertThat(one.keeper.hear(new Event("BLACKLIST_CHANGED", "k", "{"))).isTrue();
  }
}
