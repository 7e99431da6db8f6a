package io.sluice.ledger.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.WebhooksContract;
import io.sluice.db.TestDatabase;
import io.sluice.ledger.Webhooks;
import io.sluice.ledger.Webhooks.Form;
import io.sluice.ledger.Webhooks.NewWebhook;
import io.vertx.core.Future;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MySqlWebhooksIT implements WebhooksContract {
  @AutoClose private static final TestDatabase database = TestDatabase.migrated(2, 10_000);

  private final Webhooks unit = new MySqlWebhooks(database.database());

  @Override
  public Webhooks unit() {
    return unit;
  }

  @Override
  public <T> T get(Future<T> future) {
    return TestDatabase.get(future);
  }

  @BeforeEach
  void thereIsNone() {
    database.sql("DELETE FROM webhook");
    database.sql("DELETE FROM webhook_delivery");
  }

  @Test
  void shouldLetAnotherInstanceSendWhenALeaseIsOver() {
    // given
    get(unit.put(new NewWebhook("shop", "https://a.example/", SECRET, null, Form.THIN, "k1")));
    get(unit.lease("shop", "i1", LEASE));
    database.sql("UPDATE webhook SET leased_until = leased_until - 20001");

    // when
    boolean taken = get(unit.lease("shop", "i2", LEASE)).isPresent();

    // then
    assertThat(taken).isTrue();
    assertThat(get(unit.advance("shop", "i1", "k1", "k2", List.of()))).isFalse();
  }

  @Test
  void shouldDeleteFailuresThatNobodyHasReplayed() {
    // given
    String row =
        "INSERT INTO webhook_delivery (webhook_id, message_id, event_type, order_key, event, state,"
            + " attempts, first_at, next_at, why) VALUES ('shop', '%s', 't', 'o', '{}', '%s', 1,"
            + " 1, 1, '')";
    database.sql(row.formatted("m1", "FAILED"));
    database.sql(row.formatted("m2", "WAITING"));

    // when
    int purged = get(unit.purge("shop"));

    // then
    assertThat(purged).isEqualTo(1);
    assertThat(get(unit.deliveries("shop", 0, 10))).hasSize(1);
  }
}
