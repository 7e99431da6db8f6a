package io.sluice.bench.site;

import io.sluice.bench.BenchException;
import io.sluice.bench.load.LivesHeard;
import io.sluice.testkit.mysql.LedgerReader.Stock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;

/** The end of all lives of some SKUs with one bucket each, and the audit of them. */
public record LivesBooks(Site site, long firstSku, int skus) {
  private static final Duration LIMIT = Duration.ofMinutes(10);

  /** Returns once every order is confirmed or canceled, told, and its units are back. */
  public void awaitEnded() {
    long endNs = System.nanoTime() + LIMIT.toNanos();
    while (!isEnded()) {
      if (System.nanoTime() > endNs) {
        throw new BenchException(
            "not ended after %s: %s"
                .formatted(LIMIT, LivesBacklog.of(site, firstSku, skus).text()));
      }
      LockSupport.parkNanos(Site.POLL.toNanos());
    }
  }

  /** Cheap ones first. */
  private boolean isEnded() {
    return site.unbookedRecords() <= 0
        && LivesBacklog.unbooked(site, firstSku, skus) == 0
        && site.counts().outboxPending() == 0
        && site.counts().stock(firstSku, skus).held() == 0
        // A cancellation since then has left rows.
        && site.counts().outboxPending() == 0;
  }

  /** Throws on any breach. Must be called only when all is ended. */
  public void check(LivesHeard heard) {
    Stock stock = site.counts().stock(firstSku, skus);
    long held = site.counts().everHeld(firstSku, skus);
    long inRedis =
        LongStream.range(firstSku, firstSku + skus)
            .map(sku -> site.stock().available(sku, 0))
            .sum();
    List<String> faults = new ArrayList<>();
    expect("orders in the ledger", held, heard.granted(), heard.failed(), faults);
    expect(
        "orders paid in the ledger",
        stock.sold(),
        heard.confirmed(),
        heard.accepted() + heard.payFailed(),
        faults);
    expect("units on sale in Redis", inRedis, stock.available(), 0, faults);
    if (!faults.isEmpty()) {
      throw new BenchException("the audit is not clean: " + String.join("; ", faults));
    }
  }

  private static void expect(
      String what, long actual, long atLeast, long unheard, List<String> faults) {
    if (actual < atLeast || actual > atLeast + unheard) {
      faults.add("%,d %s, expected %,d to %,d".formatted(actual, what, atLeast, atLeast + unheard));
    }
  }
}
