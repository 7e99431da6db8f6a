package io.sluice.ledger.mysql;

import static io.sluice.db.TestDatabase.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.db.TestDatabase;
import io.sluice.ledger.Batches;
import io.sluice.ledger.Fence;
import io.sluice.ledger.History.HoldPlace;
import io.sluice.ledger.Step;
import io.sluice.ledger.Webhooks.Delivery;
import io.sluice.ledger.Webhooks.NewWebhook;
import io.sluice.ledger.Webhooks.Parked;
import io.sluice.ledger.mysql.MySqlHistory.Placed;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What others see of orders whose buyer is forgotten meanwhile, and when none is. */
class ForgetRacesIT {
  private static final long SKU_ID = 7;

  @AutoClose private static final RealLedger real = new RealLedger(4).founded();

  private static final TestDatabase database = real.database;
  private static final MySqlLedger ledger = real.ledger;

  private static void sell(String user, int seq) {
    BucketId bucket = new BucketId(SKU_ID, 0);
    Fence owner = get(real.takeOver(bucket));
    Grant grant = RealLedger.grant(bucket, user, seq);
    get(
        Batches.apply(
            ledger,
            Step.check(owner),
            List.of(new Command.Reserve(grant, null), new Command.Confirm(grant.token(), "paid"))));
  }

  private static void forget(String user) {
    do {
      get(ledger.forgetNext(10));
    } while (!get(real.skus.forget(user, "nobody")).done());
  }

  /** An export that missed a row would be wrong without a word. */
  @Test
  void shouldListAnOrderThatGetsAnotherTokenWhileItIsRead() {
    // given
    real.put(SKU_ID, 10, 1);
    sell("alice", 1);
    sell("bob", 2);
    sell("carol", 3);
    database.sql("UPDATE inventory SET state = 'ENDED' WHERE sku_id = " + SKU_ID);
    LedgerDatabase reading = new LedgerDatabase(database.database());
    List<Placed> listed =
        get(reading.read(session -> MySqlHistory.holds(session, SKU_ID, HoldPlace.FIRST, 10)));
    forget("bob");

    // when
    List<Order> orders = get(reading.read(session -> MySqlHistory.orders(session, listed)));

    // then
    assertThat(orders).extracting(Order::userId).containsExactly("alice", "nobody", "carol");
    assertThat(orders).extracting(Order::seq).containsExactly(1L, 2L, 3L);
    assertThat(orders.get(1).token()).isNotEqualTo(listed.get(1).token());
  }

  /** They have his id, his payments, and a token of his that is of no order any more. */
  @Test
  void shouldDeleteWhatATargetOfEventsHasNotAcceptedOfHisOrders() {
    // given
    real.put(SKU_ID, 10, 1);
    sell("dora", 4);
    sell("emil", 5);
    database.sql("UPDATE inventory SET state = 'ENDED' WHERE sku_id = " + SKU_ID);
    MySqlWebhooks webhooks = new MySqlWebhooks(database.database());
    get(webhooks.put(new NewWebhook("shop", "https://a.example/", "s", null, null, "0")));
    get(webhooks.lease("shop", "i1", Duration.ofSeconds(20)));
    get(webhooks.advance("shop", "i1", "0", "1", List.of(parked("dora", 4), parked("emil", 5))));

    // when
    forget("dora");

    // then
    assertThat(get(webhooks.deliveries("shop", 0, 10)))
        .extracting(Delivery::event)
        .containsExactly("{\"user_id\":\"emil\"}");
  }

  private static Parked parked(String user, int seq) {
    return new Parked(
        "msg_" + seq,
        "ORDER_CONFIRMED",
        RealLedger.grant(new BucketId(SKU_ID, 0), user, seq).token().value(),
        "{\"user_id\":\"" + user + "\"}",
        1,
        Duration.ofHours(1),
        "answered 500");
  }
}
