package io.sluice.bench.site;

import java.util.Locale;
import java.util.stream.LongStream;

/**
 * What is not done yet.
 *
 * @param inLog orders of the log that are not booked, as the service estimates it
 * @param unbooked grants that Redis does not know to be booked
 * @param outbox outbox rows that are not passed on
 * @param overdue orders that are to be canceled since nobody paid in time
 */
public record LivesBacklog(long inLog, long unbooked, long outbox, long overdue) {
  /** Of SKUs with one bucket each and consecutive ids. */
  public static LivesBacklog of(Site site, long firstSku, int skus) {
    return new LivesBacklog(
        ServiceMetrics.of(site).logBacklog(),
        unbooked(site, firstSku, skus),
        site.counts().outboxPending(),
        site.counts().overdue());
  }

  static long unbooked(Site site, long firstSku, int skus) {
    return LongStream.range(firstSku, firstSku + skus)
        .map(sku -> site.stock().unbooked(sku, 0))
        .sum();
  }

  public String text() {
    return String.format(
        Locale.ROOT,
        "%,d orders in the log, %,d unbooked in Redis, %,d rows in the outbox, %,d holds overdue",
        inLog,
        unbooked,
        outbox,
        overdue);
  }
}
