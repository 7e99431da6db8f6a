package io.sluice.ledger.mysql;

import static io.sluice.db.TestDatabase.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.db.TestDatabase;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Moves.Borrow;
import io.sluice.ledger.Moves.LendResult;
import io.sluice.ledger.Moves.Move;
import io.sluice.ledger.Moves.Part;
import io.sluice.ledger.Outbox.OutboxKind;
import io.sluice.ledger.OwnerRequests.OwnerRequest;
import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.model.BucketId;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.RepeatedTest;

/** Instances that withdraw a request for units while its owner serves it. */
class MoveRacesIT {
  private static final AtomicLong LAST_SKU_ID = new AtomicLong();
  private static final int PARTITIONS = 4;
  private static final int INSTANCES = 4;

  @AutoClose private static final TestDatabase database = TestDatabase.migrated(8, 20_000);

  private static final MySqlLedger ledger = new MySqlLedger(database.database(), database.meters());
  private static final MySqlSkuLedger skus = new MySqlSkuLedger(database.database(), PARTITIONS);

  private final Sku sku = put();
  private final Borrow borrow = new Borrow(sku.placed(0), sku.placed(1), 0, 1, 10);

  @RepeatedTest(20)
  void shouldEitherServeOrWithdrawARequest() {
    // given
    OwnerRequest request = unserved();
    int partition = sku.placed(0).partition();
    Fence fence = get(ledger.takeOver(partition, 0));
    Part part = new Part(request.id(), 1, sku.placed(1).partition(), 1);

    // when
    List<Future<Set<BucketId>>> instances = new ArrayList<>();
    IntStream.range(0, INSTANCES).forEach(i -> instances.add(skus.borrow(List.of(borrow))));
    Future<LendResult> owner = ledger.lend(fence, new Move(sku.placed(0).id(), 0, List.of(part)));

    // then
    long withdrawn = instances.stream().filter(each -> !get(each).isEmpty()).count();
    boolean isServed = get(owner) == LendResult.INTENDED;
    assertThat(withdrawn).as("served: %s", isServed).isEqualTo(isServed ? 0 : 1);
    assertThat(intents(partition)).isEqualTo(isServed ? 1 : 0);
    assertThat(get(skus.answer(request.id())).isEmpty()).isEqualTo(isServed);
  }

  /** A request that was left long ago. */
  private OwnerRequest unserved() {
    get(skus.borrow(List.of(borrow)));
    OwnerRequest request =
        get(ledger.openRequests(List.of(sku.placed(0).partition()), 0, 1_000)).stream()
            .filter(open -> open.borrow().filter(borrow::equals).isPresent())
            .findFirst()
            .orElseThrow();
    database.sql(
        "UPDATE owner_request SET created_at = created_at - %d WHERE id = %d"
            .formatted(SkuLedger.UNSERVED_MAX.toMillis(), request.id()));
    return request;
  }

  private long intents(int partition) {
    return get(ledger.pending(partition, OutboxKind.RESTOCK, 0, 1_000)).stream()
        .filter(row -> row.eventType().equals(OutboxPayload.MOVE))
        .filter(row -> OutboxPayload.bucketOf(row.payload()).skuId() == sku.skuId())
        .count();
  }

  private static Sku put() {
    long skuId = LAST_SKU_ID.incrementAndGet();
    SkuSettings settings = new SkuSettings(300, 0, 0, 0);
    get(skus.put(new NewSku(skuId, 10, 2, Sku.Mode.FAST, settings)));
    return get(skus.sku(skuId)).orElseThrow();
  }
}
