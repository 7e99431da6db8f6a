package io.sluice.ledger.mysql;

import static io.sluice.db.TestDatabase.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.db.TestDatabase;
import io.sluice.ledger.Fence;
import io.sluice.ledger.History.HoldPlace;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.ledger.Step;
import io.sluice.ledger.mysql.MySqlHistory.Placed;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.Order;
import io.sluice.model.OrderTokens;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.testkit.Placements;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What others see of orders whose buyer is forgotten meanwhile, and when none is. */
class ForgetRacesIT {
  private static final OrderTokens TOKENS = new OrderTokens(new byte[16]);
  private static final int PARTITIONS = 4;
  private static final long SKU_ID = 7;

  @AutoClose private static final TestDatabase database = TestDatabase.migrated(4, 20_000);

  private static final MySqlLedger ledger = new MySqlLedger(database.database(), database.meters());
  private static final MySqlSkuLedger skus = new MySqlSkuLedger(database.database(), PARTITIONS);

  private static void sell(String user, int seq) {
    BucketId bucket = new BucketId(SKU_ID, 0);
    Fence owner = get(ledger.takeOver(Placements.partitionOf(bucket, PARTITIONS), 0));
    long nowMs = get(ledger.nowMs());
    Grant grant =
        Grants.of(TOKENS.tokenFor(user, bucket, ""), user, 1, seq, 1, nowMs, nowMs + 300_000);
    get(
        ledger.apply(
            Step.check(owner),
            List.of(new Command.Reserve(grant, null), new Command.Confirm(grant.token(), "paid"))));
  }

  private static void forget(String user) {
    do {
      get(ledger.forgetNext(10));
    } while (!get(skus.forget(user, "nobody")).done());
  }

  /** An export that missed a row would be wrong without a word. */
  @Test
  void shouldListAnOrderThatGetsAnotherTokenWhileItIsRead() {
    // given
    get(
        new MySqlLedgerIdentity(database.database())
            .orderLog(
                PARTITIONS,
                "topic",
                () -> Future.succeededFuture(Map.of(0, 0L, 1, 0L, 2, 0L, 3, 0L))));
    get(skus.put(new NewSku(SKU_ID, 10, 1, Sku.Mode.FAST, new SkuSettings(300, 0, 0, 0))));
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
}
