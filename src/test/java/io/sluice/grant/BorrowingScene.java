package io.sluice.grant;

import io.sluice.ledger.Move.Borrow;
import io.sluice.ledger.SkuLedger;
import io.sluice.model.BucketId;
import io.sluice.model.Placement.PlacedBucket;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.model.Skus;
import io.sluice.testkit.Ports;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** An event loop that asks for units, and the ledger that it asks. */
abstract class BorrowingScene {
  static final int BUCKETS = 8;
  static final Sku SKU = Skus.open(7, 100, BUCKETS, new SkuSettings(300, 0, 0, 0));
  static final PlacedBucket TARGET = SKU.placed(3);

  final ManualLoop time = new ManualLoop();
  final Asked asked = new Asked();
  int woken;
  final Borrowing unit =
      new Borrowing(Ports.partly(SkuLedger.class, asked), time.loop(), () -> woken++);

  /** A ledger that keeps what it is asked for, and answers when the test says so. */
  public static final class Asked {
    final List<List<Borrow>> calls = new ArrayList<>();
    Future<Set<BucketId>> answer = Future.succeededFuture(Set.of());

    public Future<Set<BucketId>> borrow(List<Borrow> borrows) {
      calls.add(borrows);
      return answer;
    }

    final List<Borrow> all() {
      return calls.stream().flatMap(List::stream).toList();
    }

    final List<Integer> sources() {
      return all().stream().map(borrow -> borrow.from().id().bucket()).toList();
    }
  }

  /** A buyer asks the target for one unit. */
  final void begin() {
    beginWith(1);
  }

  /** The same where so many units are asked of the target within a tenth of a second. */
  final void beginWith(long units) {
    unit.wished(TARGET, units);
  }

  final void ask(Borrowing.FilledBucket... lenders) {
    unit.ask(SKU, TARGET, 1, Arrays.asList(lenders));
  }

  final void askLater(Borrowing.FilledBucket... lenders) {
    time.advance(Borrowing.ASK_EVERY);
    ask(lenders);
  }

  static Borrowing.FilledBucket filled(int bucket, long units) {
    return new Borrowing.FilledBucket(bucket, units);
  }
}
