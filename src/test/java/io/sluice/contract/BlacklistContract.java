package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Blacklist;
import io.sluice.ledger.Blacklist.Ban;
import io.sluice.ledger.Blacklist.NewBan;
import io.sluice.ledger.Blacklist.Overrun;
import io.sluice.ledger.Blacklist.Page;
import io.sluice.ledger.Blacklist.PutResult;
import io.sluice.ledger.Blacklist.Terms;
import io.sluice.ledger.Put;
import io.sluice.model.IfMatch;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every blacklist does. */
public interface BlacklistContract {
  Terms TERMS = new Terms(Duration.ofSeconds(600), Duration.ofSeconds(1_800));
  Terms SHORT = new Terms(Duration.ofSeconds(60), Duration.ofSeconds(60));

  Blacklist unit();

  <T> T get(Future<T> future);

  private Ban put(String userId, Terms terms, String reason, String by) {
    return done(get(unit().put(new NewBan(userId, terms, reason, by, Put.WHOLE)))).ban();
  }

  private Ban lift(String userId, String by) {
    return done(get(unit().lift(userId, IfMatch.NOTHING, by))).ban();
  }

  private static PutResult.Done done(PutResult result) {
    assertThat(result).isInstanceOf(PutResult.Done.class);
    return (PutResult.Done) result;
  }

  private static Put leaving(IfMatch ifMatch, String... fields) {
    return new Put(Set.of(fields), ifMatch, false);
  }

  private static Overrun overrun(String userId, int secondsAgo) {
    return new Overrun(userId, Duration.ofSeconds(secondsAgo));
  }

  @Test
  default void shouldBanFromTheOverrunOnWhenItIsWrittenLater() {
    // when
    Page page = get(unit().ban(List.of(overrun("alice", 100)), TERMS, "why", "sluice"));

    // then
    Ban ban = page.bans().get(0);
    assertThat(page.bans()).hasSize(1);
    assertThat(ban.userId()).isEqualTo("alice");
    assertThat(ban.bannedAtMs()).isEqualTo(page.nowMs() - 100_000);
    assertThat(ban.bannedUntilMs()).isEqualTo(page.nowMs() + 500_000);
    assertThat(ban.watchedUntilMs()).isEqualTo(page.nowMs() + 2_300_000);
    assertThat(ban.reason()).isEqualTo("why");
    assertThat(ban.bannedBy()).isEqualTo("sluice");
    assertThat(get(unit().find("alice")).bans()).containsExactly(ban);
    assertThat(get(unit().find("Alice")).bans()).isEmpty();
  }

  @Test
  default void shouldTakeAnIdOfAnyForm() {
    // when
    Page page = get(unit().ban(List.of(overrun(Buyers.of(1), 0)), TERMS, "why", "sluice"));

    // then
    assertThat(page.bans()).extracting(Ban::userId).containsExactly(Buyers.of(1));
    assertThat(get(unit().find(Buyers.of(1))).bans()).hasSize(1);
    assertThat(lift(Buyers.of(1), "ops").bannedUntilMs()).isZero();
  }

  @Test
  default void shouldBanNobodyWhenTheBanWouldBeOver() {
    // when
    Page page = get(unit().ban(List.of(overrun("alice", 600)), TERMS, "why", "sluice"));

    // then
    assertThat(page.bans()).isEmpty();
    assertThat(get(unit().find("alice")).bans()).isEmpty();
  }

  @Test
  default void shouldKeepTheLongerBanWhenABuyerOverrunsAgain() {
    // given
    Ban operators = put("alice", TERMS, "fraud", "olga");

    // when
    Ban again = get(unit().ban(List.of(overrun("alice", 0)), SHORT, "why", "sluice")).bans().get(0);

    // then
    assertThat(again.bannedUntilMs()).isEqualTo(operators.bannedUntilMs());
    assertThat(again.reason()).isEqualTo("fraud");
    assertThat(again.bannedBy()).isEqualTo("olga");
    assertThat(again.version()).isGreaterThan(operators.version());
  }

  @Test
  default void shouldShortenABanWhenAnOperatorSaysSo() {
    // given
    Ban before =
        get(unit().ban(List.of(overrun("alice", 0)), TERMS, "why", "sluice")).bans().get(0);

    // when
    Ban after = put("alice", SHORT, "less", "olga");

    // then
    assertThat(after.bannedUntilMs()).isLessThan(before.bannedUntilMs());
    assertThat(after.bannedBy()).isEqualTo("olga");
    assertThat(after.version()).isGreaterThan(before.version());
  }

  /** The reason and the end of a ban were replaced by defaults when a PUT left them out. */
  @Test
  default void shouldKeepWhatAPutLeavesOutOfABanThatHolds() {
    // given
    Ban before = put("alice", TERMS, "fraud", "olga");

    // when
    PutResult.Done reason =
        done(
            get(
                unit()
                    .put(
                        new NewBan(
                            "alice", SHORT, "bots", "otto", leaving(IfMatch.NOTHING, "ban_s")))));
    PutResult.Done time =
        done(
            get(
                unit()
                    .put(
                        new NewBan(
                            "alice", SHORT, "", "otto", leaving(IfMatch.NOTHING, "reason")))));
    PutResult.Done none =
        done(
            get(
                unit()
                    .put(
                        new NewBan(
                            "alice",
                            TERMS,
                            "",
                            "oona",
                            leaving(IfMatch.NOTHING, "ban_s", "reason")))));

    // then
    assertThat(reason.changed()).containsExactly("reason");
    assertThat(reason.ban().bannedAtMs()).isEqualTo(before.bannedAtMs());
    assertThat(reason.ban().bannedUntilMs()).isEqualTo(before.bannedUntilMs());
    assertThat(reason.ban().watchedUntilMs()).isEqualTo(before.watchedUntilMs());
    assertThat(reason.ban().bannedBy()).isEqualTo("otto");
    assertThat(reason.ban().version()).isGreaterThan(before.version());
    assertThat(time.changed()).containsExactly("ban_s");
    assertThat(time.ban().bannedUntilMs()).isEqualTo(time.nowMs() + 60_000);
    assertThat(time.ban().reason()).isEqualTo("bots");
    assertThat(none.changed()).isEmpty();
    assertThat(none.ban()).isEqualTo(time.ban());
    assertThat(get(unit().find("alice")).bans()).containsExactly(time.ban());
  }

  @Test
  default void shouldTakeTheDefaultsWhenNoBanHolds() {
    // given
    put("alice", TERMS, "fraud", "olga");
    Ban lifted = lift("alice", "olga");
    Put put = leaving(IfMatch.NOTHING, "ban_s", "reason");

    // when
    PutResult.Done again = done(get(unit().put(new NewBan("alice", SHORT, "", "otto", put))));
    PutResult.Done first = done(get(unit().put(new NewBan("bob", SHORT, "", "otto", put))));

    // then
    assertThat(again.changed()).isEmpty();
    assertThat(again.ban().reason()).isEmpty();
    assertThat(again.ban().bannedUntilMs()).isEqualTo(again.nowMs() + 60_000);
    assertThat(again.ban().version()).isGreaterThan(lifted.version());
    assertThat(first.ban().bannedUntilMs()).isEqualTo(first.nowMs() + 60_000);
  }

  @Test
  default void shouldChangeNothingWhenTheBanHasChangedSinceItWasRead() {
    // given
    String read = put("alice", TERMS, "fraud", "olga").tag();
    Ban now = put("alice", SHORT, "less", "olga");
    NewBan late = new NewBan("alice", TERMS, "", "otto", leaving(IfMatch.of(read)));
    NewBan absent = new NewBan("bob", TERMS, "", "otto", leaving(IfMatch.EXISTS));

    // when
    List<PutResult> moved =
        List.of(
            get(unit().put(late)),
            get(unit().put(absent)),
            get(unit().lift("alice", IfMatch.of(read), "otto")),
            get(unit().lift("bob", IfMatch.EXISTS, "otto")));

    // then
    assertThat(moved)
        .containsExactly(
            new PutResult.Moved(true),
            new PutResult.Moved(false),
            new PutResult.Moved(true),
            new PutResult.Moved(false));
    assertThat(get(unit().find("alice")).bans()).containsExactly(now);
    assertThat(get(unit().find("bob")).bans()).isEmpty();
    assertThat(get(unit().lift("alice", IfMatch.of(now.tag()), "otto")))
        .isInstanceOf(PutResult.Done.class);
  }

  /** Of two who ban at once, the second one keeps what the first one has set. */
  @Test
  default void shouldDecideOneAfterTheOtherWhenTwoBanABuyerAtOnce() {
    for (int round = 0; round < 20; round++) {
      // given
      String buyer = "buyer-" + round;
      NewBan withReason =
          new NewBan(buyer, TERMS, "bots", "otto", leaving(IfMatch.NOTHING, "ban_s"));
      NewBan withTime = new NewBan(buyer, SHORT, "", "olga", leaving(IfMatch.NOTHING, "reason"));

      // when
      get(Future.all(unit().put(withReason), unit().put(withTime)));

      // then
      Ban ban = get(unit().find(buyer)).bans().get(0);
      assertThat(ban.reason()).isEqualTo("bots");
      assertThat(ban.bannedUntilMs() - ban.bannedAtMs()).isEqualTo(60_000);
    }
  }

  @Test
  default void shouldTellOfALiftedBanWhenItsChangesAreRead() {
    // given
    Ban before = put("alice", TERMS, "fraud", "olga");

    // when
    Ban lifted = lift("alice", "otto");

    // then
    assertThat(lifted.bannedUntilMs()).isZero();
    assertThat(lifted.watchedUntilMs()).isZero();
    assertThat(lifted.bannedBy()).isEqualTo("otto");
    assertThat(lifted.version()).isGreaterThan(before.version());
    assertThat(get(unit().changes(before.version() + 1, null)).bans()).containsExactly(lifted);
    assertThat(get(unit().changes(lifted.version() + 1, null)).bans()).isEmpty();
  }

  @Test
  default void shouldListEachEntryOnceWhenThereAreMoreThanAPage() {
    // given
    int count = Blacklist.PAGE_MAX + 7;
    List<Overrun> all = IntStream.range(0, count).mapToObj(n -> overrun("buyer-" + n, 0)).toList();
    get(unit().ban(all, TERMS, "why", "sluice"));

    // when
    List<Ban> first = get(unit().changes(0, null)).bans();
    List<Ban> rest = get(unit().changes(0, first.get(first.size() - 1))).bans();
    List<Ban> none = get(unit().changes(0, rest.get(rest.size() - 1))).bans();

    // then
    List<Ban> listed = new ArrayList<>(first);
    listed.addAll(rest);
    assertThat(first).hasSize(Blacklist.PAGE_MAX);
    assertThat(listed)
        .extracting(Ban::userId)
        .containsExactlyInAnyOrderElementsOf(all.stream().map(Overrun::userId).toList());
    assertThat(none).isEmpty();
  }

  @Test
  default void shouldDeleteOnlyWhatHasNoEffectWhenPurged() {
    // given
    put("alice", TERMS, "", "olga");
    lift("bob", "olga");

    // when
    int deleted = get(unit().purge());

    // then
    assertThat(deleted).isZero();
    assertThat(get(unit().changes(0, null)).bans()).hasSize(2);
  }
}
