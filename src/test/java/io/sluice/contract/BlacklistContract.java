package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Blacklist;
import io.sluice.ledger.Blacklist.Ban;
import io.sluice.ledger.Blacklist.Overrun;
import io.sluice.ledger.Blacklist.Page;
import io.sluice.ledger.Blacklist.Terms;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every blacklist does. */
public interface BlacklistContract {
  Terms TERMS = new Terms(Duration.ofSeconds(600), Duration.ofSeconds(1_800));
  Terms SHORT = new Terms(Duration.ofSeconds(60), Duration.ofSeconds(60));

  Blacklist unit();

  <T> T get(Future<T> future);

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
    assertThat(get(unit().lift(Buyers.of(1), "ops")).bans())
        .allMatch(ban -> ban.bannedUntilMs() <= page.nowMs());
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
    Ban operators = get(unit().put("alice", TERMS, "fraud", "olga")).bans().get(0);

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
    Ban after = get(unit().put("alice", SHORT, "less", "olga")).bans().get(0);

    // then
    assertThat(after.bannedUntilMs()).isLessThan(before.bannedUntilMs());
    assertThat(after.bannedBy()).isEqualTo("olga");
    assertThat(after.version()).isGreaterThan(before.version());
  }

  @Test
  default void shouldTellOfALiftedBanWhenItsChangesAreRead() {
    // given
    Ban before = get(unit().put("alice", TERMS, "fraud", "olga")).bans().get(0);

    // when
    Ban lifted = get(unit().lift("alice", "otto")).bans().get(0);

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
    get(unit().put("alice", TERMS, "", "olga"));
    get(unit().lift("bob", "olga"));

    // when
    int deleted = get(unit().purge());

    // then
    assertThat(deleted).isZero();
    assertThat(get(unit().changes(0, null)).bans()).hasSize(2);
  }
}
