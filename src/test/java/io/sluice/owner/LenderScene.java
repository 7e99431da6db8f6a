package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Move.Borrow;
import io.sluice.ledger.OwnerRequest;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.model.BucketId;
import io.sluice.model.OrderToken;
import io.sluice.model.OrderTokens;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.stock.StockStore;
import io.vertx.core.Promise;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** An owner whose buckets lend units to each other. */
abstract class LenderScene {
  static final long SKU = 2_001;
  private static final int BUCKETS = 4;

  final OwnerScene scene = OwnerScene.withStock(10);
  private int buyers;
  private long share;

  /** A SKU on sale of whose buckets others have bought all but these units. */
  final void onSale(int... left) {
    share = Arrays.stream(left).max().orElseThrow();
    SkuSettings settings = new SkuSettings(300, 0, 0, 0);
    scene.ledger.put(new NewSku(SKU, share * BUCKETS, BUCKETS, Sku.Mode.FAST, settings));
    scene.settle();
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
      if (left[bucket] < share) {
        buy(bucket, (int) share - left[bucket]);
      }
    }
  }

  /** Lets the owner wait for what it looks at until this is completed. */
  final Promise<Void> holdLooks() {
    Promise<Void> held = Promise.promise();
    StoreCalls looks = new StoreCalls();
    looks.instead.put(
        "snapshot",
        arguments ->
            held.future()
                .compose(go -> scene.stock.snapshot((BucketId) arguments[0], List.of(), 0)));
    scene.looked = looks.before(StockStore.class, scene.stock);
    return held;
  }

  final void freeze(int bucket) {
    scene.stock.freeze(id(bucket), scene.stock.snapshot(id(bucket), List.of(), 0).result().term());
  }

  final void buy(int bucket, int qty) {
    String buyer = "buyer-" + buyers++;
    OrderToken token = new OrderTokens(new byte[16]).tokenFor(buyer, id(bucket), null);
    scene.stock.reserve(id(bucket), List.of(new StockStore.Request(token, buyer, qty)));
  }

  final Borrow borrow(int from, int to, long most) {
    Sku sku = scene.ledger.sku(SKU).result().orElseThrow();
    return new Borrow(sku.placed(from), sku.placed(to), 0, 1, most);
  }

  /** Leaves a request of a buyer who wants one unit; returns its id. */
  final long ask(int from, int to, long most) {
    Borrow borrow = borrow(from, to, most);
    assertThat(scene.ledger.borrow(List.of(borrow)).result()).isEmpty();
    return open().stream()
        .filter(request -> request.borrow().orElseThrow().equals(borrow))
        .findFirst()
        .orElseThrow()
        .id();
  }

  final List<OwnerRequest> open() {
    return scene.ledger.openRequests(List.of(OwnerScene.PARTITION), 0, 100).result().stream()
        .filter(request -> request.borrow().isPresent())
        .toList();
  }

  final Optional<String> answer(long request) {
    return scene.ledger.answer(request).result();
  }

  /** By how many units the ledger has changed the allotments. */
  final List<Long> moved() {
    return scene.ledger.bucketsOf(SKU).result().stream()
        .map(row -> row.allotted() - share)
        .toList();
  }

  final List<Long> available() {
    return IntStream.range(0, BUCKETS)
        .mapToObj(bucket -> scene.stock.snapshot(id(bucket), List.of(), 0).result().available())
        .toList();
  }

  static BucketId id(int bucket) {
    return new BucketId(SKU, bucket);
  }
}
