package io.sluice.ledger.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.BlacklistContract;
import io.sluice.db.TestDatabase;
import io.sluice.ledger.Blacklist;
import io.sluice.ledger.Blacklist.NewBan;
import io.sluice.ledger.Put;
import io.sluice.model.IfMatch;
import io.vertx.core.Future;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MySqlBlacklistIT implements BlacklistContract {
  @AutoClose private static final TestDatabase database = TestDatabase.migrated(2, 10_000);

  private final Blacklist unit = new MySqlBlacklist(database.database());

  @Override
  public Blacklist unit() {
    return unit;
  }

  @Override
  public <T> T get(Future<T> future) {
    return TestDatabase.get(future);
  }

  @BeforeEach
  void nobodyIsBanned() {
    database.sql("DELETE FROM blacklist");
  }

  private void ban(String reason) {
    get(unit.put(new NewBan("alice", TERMS, reason, "olga", Put.WHOLE)));
  }

  @Test
  void shouldDeleteEntriesWhenTheyHaveHadNoEffectForSomeTime() {
    // given
    ban("");
    get(unit.lift("bob", IfMatch.NOTHING, "olga"));
    database.sql("UPDATE blacklist SET forget_at = forget_at - 601000");

    // when
    int deleted = get(unit.purge());

    // then
    assertThat(deleted).isEqualTo(1);
    assertThat(get(unit.find("bob")).bans()).isEmpty();
    assertThat(get(unit.find("alice")).bans()).hasSize(1);
  }

  @Test
  void shouldKeepEachCharacterWhenAReasonHasMany() {
    // given
    String reason = "it's \"50 %\" \\ of <them> \u00e4\u20ac\ud83d\ude00";

    // when
    ban(reason);

    // then
    assertThat(get(unit.find("alice")).bans().get(0).reason()).isEqualTo(reason);
  }
}
