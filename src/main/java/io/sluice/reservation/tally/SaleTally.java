package io.sluice.reservation.tally;

import io.sluice.ledger.History;
import io.sluice.ledger.History.Counts;
import io.sluice.model.Refusal;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * The counters of one sale on this instance. Any event loop adds to them, without a lock and
 * without an object for it; one context takes what was added.
 */
public final class SaleTally {
  /** The times within which grants are counted; longer ones are counted together. */
  private static final long[] WITHIN_MS = {
    1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1_000, 1_500, 2_000
  };

  private static final Refusal[] REFUSALS = Refusal.values();

  private final LongAdder[] refused = adders(REFUSALS.length);
  private final LongAdder[] granted = adders(WITHIN_MS.length + 1);
  private final long[] takenRefused = new long[refused.length];
  private final long[] takenGranted = new long[granted.length];

  SaleTally() {}

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
