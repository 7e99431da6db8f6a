package io.sluice.grant;

import io.sluice.ledger.History;
import io.sluice.ledger.History.Counts;
import io.sluice.model.Refusal;
import io.sluice.model.Sku;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The counters of all sales on this instance, shared by its event loops. */
public final class SaleTallies {
  /** Sales beyond these are not counted. */
  static final int SALES_MAX = 200;

  private final Map<String, Tally> bySale = new ConcurrentHashMap<>();

  /** The last that was asked for: in most sales, it is asked for again. */
  private volatile @Nullable Named last;

  private record Named(String saleId, Tally tally) {}

  /** The counters of the SKU's sale; null if it is in none, or if there are too many. */
  public @Nullable Tally of(Sku sku) {
    String saleId = sku.membership().saleId();
    if (saleId == null) {
      return null;
    }
    Named recent = last;
    return recent != null && recent.saleId.equals(saleId) ? recent.tally : find(saleId);
  }

  private @Nullable Tally find(String saleId) {
    Tally tally = bySale.get(saleId);
    if (tally == null) {
      if (bySale.size() >= SALES_MAX) {
        return null;
      }
      tally = bySale.computeIfAbsent(saleId, first -> new Tally());
    }
    last = new Named(saleId, tally);
    return tally;
  }

  Map<String, Tally> all() {
    return bySale;
  }

  /** Drops the counters of a sale in which nothing happens. */
  void drop(String saleId) {
    bySale.remove(saleId);
    last = null;
  }

  /**
   * The counters of one sale on this instance. Any event loop adds to them, without a lock and
   * without an object for it; one context takes what was added.
   */
  public static final class Tally {
    /** The times within which grants are counted; longer ones are counted together. */
    private static final long[] WITHIN_MS = {
      1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1_000, 1_500, 2_000
    };

    private static final Refusal[] REFUSALS = Refusal.values();

    private final LongAdder[] refused = adders(REFUSALS.length);
    private final LongAdder[] granted = adders(WITHIN_MS.length + 1);
    private final long[] takenRefused = new long[refused.length];
    private final long[] takenGranted = new long[granted.length];

    Tally() {}

    private static LongAdder[] adders(int count) {
      return Stream.generate(LongAdder::new).limit(count).toArray(LongAdder[]::new);
    }

    /** A request was refused. */
    public void refused(Refusal refusal) {
      refused[refusal.ordinal()].increment();
    }

    /** A new order was acknowledged so long after its request was taken. */
    public void granted(long nanos) {
      granted[slot(nanos)].increment();
    }

    private static int slot(long nanos) {
      int slot = 0;
      while (slot < WITHIN_MS.length && nanos > TimeUnit.MILLISECONDS.toNanos(WITHIN_MS[slot])) {
        slot++;
      }
      return slot;
    }

    /** The counts since the last call; called by one context only. */
    Counts take() {
      Map<String, Long> refusals = new HashMap<>();
      for (int i = 0; i < refused.length; i++) {
        long count = refused[i].sum() - takenRefused[i];
        if (count > 0) {
          takenRefused[i] += count;
          refusals.put(REFUSALS[i].problem(), count);
        }
      }
      Map<Long, Long> grants = new HashMap<>();
      for (int i = 0; i < granted.length; i++) {
        long count = granted[i].sum() - takenGranted[i];
        if (count > 0) {
          takenGranted[i] += count;
          grants.put(i < WITHIN_MS.length ? WITHIN_MS[i] : History.LONGER, count);
        }
      }
      return new Counts(refusals, grants);
    }
  }
}
