package io.sluice.testkit;

import io.sluice.testkit.LedgerReader.Stock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** Waits until nothing is under way at a site, then checks the {@link Promises}. */
final class PromiseCheck {
  private static final Duration SETTLE_LIMIT = Duration.ofSeconds(30);
  private static final Duration POLL = Duration.ofMillis(50);

  private final SaleSite site;
  private List<String> unsettled = List.of("not looked yet");

  PromiseCheck(SaleSite site) {
    this.site = site;
  }

  void run() {
    awaitSettled();
    List<String> breaches =
        Promises.breaches(Books.of(site.ledger(), site.stock(), site.yeses()));
    if (!breaches.isEmpty()) {
      throw new AssertionError("Promises were broken:\n  " + String.join("\n  ", breaches));
    }
  }

  private void awaitSettled() {
    try {
      Awaitility.await()
          .atMost(SETTLE_LIMIT)
          .pollInterval(POLL)
          .until(
              () -> {
                unsettled = unsettled();
                return unsettled.isEmpty();
              });
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(
          "P3: still under way after %s:%n  %s"
              .formatted(SETTLE_LIMIT, String.join("\n  ", unsettled)),
          e);
    }
  }

  private List<String> unsettled() {
    var reasons = new ArrayList<String>();
    Map<Integer, Long> booked = site.ledger().nextOffsets();
    Map<Integer, Long> ends = site.topics().endOffsets(site.ordersTopic());
    if (ends.size() != site.partitions() || !booked.equals(ends)) {
      reasons.add("the log ends at %s, booked is %s".formatted(ends, booked));
    }
    addIfAny(reasons, site.ledger().outboxPending(), "outbox rows are PENDING");
    addIfAny(reasons, site.ledger().holdsOverdue(), "holds are overdue");
    for (Stock bucket : site.ledger().counters()) {
      long unbooked = site.stock().unbooked(bucket.skuId(), bucket.bucket());
      addIfAny(reasons, unbooked, "grants are unbooked in " + bucket);
    }
    return reasons;
  }

  private static void addIfAny(List<String> reasons, long count, String what) {
    if (count != 0) {
      reasons.add(count + " " + what);
    }
  }
}
