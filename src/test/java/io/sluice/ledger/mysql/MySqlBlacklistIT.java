package io.sluice.ledger.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.BlacklistContract;
import io.sluice.db.TestDatabase;
import io.sluice.ledger.Blacklist;
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

  @Test
  void shouldDeleteEntriesWhenTheyHaveHadNoEffectForSomeTime() {
    // given
    get(unit.put("alice", TERMS, "", "olga"));
    get(unit.lift("bob", "olga"));
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
    get(unit.put("alice", TERMS, reason, "olga"));

    // then
    assertThat(get(unit.find("alice")).bans().get(0).reason()).isEqualTo(reason);
  }
}
