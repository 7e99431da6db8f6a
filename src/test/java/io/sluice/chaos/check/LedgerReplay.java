package io.sluice.chaos.check;

import io.sluice.chaos.check.BookedOrder.Txn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * Replays the append-only rows and checks every moment: held + sold never exceeds total, no counter
 * is negative, and no buyer ever has more than the limit.
 */
public final class LedgerReplay {
  private record Bucket(long skuId, int bucket) {}

  private record Owned(Bucket bucket, String userId) {}

  private static final class Units {
    long total;
    long held;
    long sold;

    boolean sound() {
      return held >= 0 && sold >= 0 && held + sold <= total;
    }

    @Override
    public String toString() {
      return "held %d + sold %d of %d".formatted(held, sold, total);
    }
  }

  private final Map<String, BookedOrder> orders;
  private final ToLongFunction<Long> limitOf;
  private final Map<Bucket, Units> buckets = new HashMap<>();
  private final Map<Owned, Long> owned = new HashMap<>();
  private final List<String> breaches = new ArrayList<>();
  private final Set<Bucket> written = new LinkedHashSet<>();

  /** Who has got more in this transaction. */
  private final Set<Owned> enriched = new LinkedHashSet<>();

  private LedgerReplay(Map<String, BookedOrder> orders, ToLongFunction<Long> limitOf) {
    this.orders = orders;
    this.limitOf = limitOf;
  }

  /** {@code limitOf} gives the limit per buyer of a SKU, 0 for none. */
  public static List<String> breaches(
      List<Txn> txns, Map<String, BookedOrder> orders, ToLongFunction<Long> limitOf) {
    var replay = new LedgerReplay(orders, limitOf);
    for (int i = 0; i < txns.size(); i++) {
      replay.apply(txns.get(i));
      if (i + 1 == txns.size() || txns.get(i + 1).write() != txns.get(i).write()) {
        replay.expectSound(txns.get(i));
      }
    }
    return replay.breaches;
  }

  /** Between two transactions; the rows of one are in no order of their own. */
  private void expectSound(Txn last) {
    written.forEach(
        bucket -> {
          Units units = buckets.get(bucket);
          if (!units.sound()) {
            breaches.add("%s has %s after %s of %s".formatted(bucket, units, last, last.token()));
          }
        });
    written.clear();
    enriched.forEach(buyer -> expectAllowed(buyer, last));
    enriched.clear();
  }

  private void expectAllowed(Owned buyer, Txn last) {
    long limit = limitOf.applyAsLong(buyer.bucket().skuId());
    long has = owned.getOrDefault(buyer, 0L);
    if (limit > 0 && has > limit) {
      breaches.add(
          "%s has %d units, %d are allowed, after %s of %s"
              .formatted(buyer.userId(), has, limit, last, last.token()));
    }
  }

  private void apply(Txn txn) {
    var bucket = new Bucket(txn.skuId(), txn.bucket());
    Units units = buckets.computeIfAbsent(bucket, any -> new Units());
    switch (txn.action()) {
      case "RESTOCK" -> units.total += txn.qty();
      case "HOLD" -> units.held += txn.qty();
      case "CONFIRM" -> {
        units.held -= txn.qty();
        units.sold += txn.qty();
      }
      case "CANCEL" -> units.held -= txn.qty();
      case "REFUND" -> units.sold -= txn.qty();
      default -> breaches.add("an unknown action: " + txn);
    }
    written.add(bucket);
    BookedOrder order = orders.get(txn.token());
    if (order != null) {
      count(bucket, order, txn);
    }
  }

  private void count(Bucket bucket, BookedOrder order, Txn txn) {
    long change =
        switch (txn.action()) {
          case "HOLD" -> txn.qty();
          case "CANCEL", "REFUND" -> -txn.qty();
          default -> 0;
        };
    Owned buyer = new Owned(bucket, order.userId());
    owned.merge(buyer, change, Long::sum);
    if (change > 0) {
      enriched.add(buyer);
    }
  }
}
