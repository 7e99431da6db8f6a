package io.sluice.bench.site;

import io.sluice.bench.BenchException;
import io.sluice.bench.load.Heard;
import io.sluice.bench.load.Heard.What;
import io.sluice.bench.load.LoadSpec;
import io.sluice.testkit.mysql.LedgerReader;
import io.sluice.testkit.mysql.LedgerReader.Stock;
import io.sluice.testkit.redis.StockReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * What buyers were told, and whether the ledger and Redis say the same: every yes is in the ledger,
 * every payment that was confirmed too, nothing is oversold or stranded, and Redis agrees with the
 * ledger. The ledger is read only through the names that docs/design-ledger.md, section 7 fixes, so
 * an older build is audited alike.
 */
public final class Books {
  /** More SKUs are not asked one by one whether Redis knows that all is booked. */
  private static final int ASKED_MAX = 64;

  /** All columns of its index are named, so it is cheap. */
  private static final String OUTBOX =
      """
      SELECT COUNT(*) FROM outbox
      WHERE partition_id IN (%s) AND kind IN ('EVENT', 'RELEASE', 'RESTOCK', 'DEAD')
        AND status = 'PENDING'\
      """
          .formatted(
              IntStream.range(0, Site.PARTITIONS)
                  .mapToObj(String::valueOf)
                  .collect(Collectors.joining(", ")));

  /** Events that are told and of which orders are not found yet, by a build that lets them be. */
  private static final String UNNOTED =
      OUTBOX.replace("'EVENT', 'RELEASE', 'RESTOCK', 'DEAD'", "'EVENT'").replace("PENDING", "SENT");

  private static final String LOOK_UPS =
      """
      SELECT COUNT(*) FROM information_schema.tables
      WHERE table_schema = DATABASE() AND table_name = 'order_lookup'\
      """;

  /** Answers to orders of some SKUs; what was not heard may have happened, or not. */
  private static final class Told {
    private final int skus;
    private long yeses;
    private long unheard;
    private long paid;
    private long unheardPayments;

    Told(int skus) {
      this.skus = skus;
    }
  }

  private final Site site;
  private final LedgerReader ledger;
  private final StockReader stock;
  private final Places places;
  private final NavigableMap<Long, Told> told = new TreeMap<>();

  /** First SKU and number of those that were ordered since all was booked. */
  private final Map<Long, Integer> restless = new HashMap<>();

  Books(Site site, LedgerReader ledger, StockReader stock, Places places) {
    this.site = site;
    this.ledger = ledger;
    this.stock = stock;
    this.places = places;
  }

  /** Records what was heard at the service; {@code cut}: orders whose answers were not awaited. */
  public Heard note(LoadSpec volley, Heard heard, long cut) {
    if (volley.url().equals(site.service().url())) {
      int lines = volley.lines();
      Told all = told(volley.firstSku(), Math.max(volley.skus(), lines));
      all.yeses += lines * heard.accepted();
      all.unheard += lines * (cut + heard.get(What.FAILED));
      all.paid += heard.get(What.PAID);
      all.unheardPayments += heard.get(What.PAY_UNKNOWN) + heard.get(What.PAY_FAILED);
    }
    return heard;
  }

  /** Records payments of orders that were noted, all of which were confirmed. */
  public void notePaid(long firstSku, long orders) {
    told.get(firstSku).paid += orders;
  }

  /** From now on the backlog of its SKUs counts. */
  public void expect(LoadSpec volley) {
    told(volley.firstSku(), Math.max(volley.skus(), volley.lines()));
  }

  /** The same of one order of one unit. */
  public void note(long skuId, boolean isYes) {
    Told all = told(skuId, 1);
    all.yeses += isYes ? 1 : 0;
    all.unheard += isYes ? 0 : 1;
  }

  private Told told(long firstSku, int skus) {
    restless.put(firstSku, skus);
    return told.computeIfAbsent(firstSku, any -> new Told(skus));
  }

  void rest() {
    restless.clear();
  }

  /** Records that are not booked, or else grants and outbox rows that are not passed on. */
  public long open() {
    long records = site.unbookedRecords();
    return records > 0 ? records : unbooked() + outbox();
  }

  private long unbooked() {
    return restless.entrySet().stream()
        .flatMapToLong(
            skus ->
                LongStream.range(
                    skus.getKey(), skus.getKey() + Math.min(skus.getValue(), ASKED_MAX)))
        .map(sku -> places.sum(sku, bucket -> stock.unbooked(sku, bucket)))
        .sum();
  }

  private long outbox() {
    long pending = ledger.count(OUTBOX);
    return pending > 0 || ledger.count(LOOK_UPS) == 0 ? pending : ledger.count(UNNOTED);
  }

  /** What is not done yet, as a note in the report. */
  public String backlog() {
    return "%,d records in the log, %,d unbooked in Redis, %,d rows in the outbox"
        .formatted(site.unbookedRecords(), unbooked(), outbox());
  }

  /** Units that unpaid orders of these SKUs hold in the ledger. */
  public long held(long firstSku, int skus) {
    return bucketSum("held", firstSku, skus);
  }

  /** Units that orders of these SKUs hold or have. */
  public long booked(long firstSku, int skus) {
    return bucketSum("held + sold", firstSku, skus);
  }

  private long bucketSum(String what, long firstSku, int skus) {
    return ledger.count(
        "SELECT CAST(SUM(%s) AS SIGNED) FROM inventory_bucket WHERE sku_id BETWEEN %d AND %d"
            .formatted(what, firstSku, firstSku + skus - 1));
  }

  /** Throws on any breach; returns the line for the report. Must be called when all is booked. */
  public String audit() {
    Map<Long, Stock> view =
        ledger.view().stream().collect(Collectors.toMap(Stock::skuId, Function.identity()));
    NavigableMap<Long, Long> everHeld = everHeld();
    List<String> faults = new ArrayList<>();
    long yeses = 0;
    for (Map.Entry<Long, Told> sale : told.entrySet()) {
      long first = sale.getKey();
      Told heard = sale.getValue();
      yeses += heard.yeses;
      long held = sum(everHeld.subMap(first, first + heard.skus));
      expect("orders of SKU " + first, held, heard.yeses, heard.unheard, faults);
      if (heard.paid > 0) {
        long sold =
            LongStream.range(first, first + heard.skus).map(sku -> view.get(sku).sold()).sum();
        expect("payments of SKU " + first, sold, heard.paid, heard.unheardPayments, faults);
      }
    }
    view.values().forEach(of -> compare(of, faults));
    if (ledger.skusInDisagreement() > 0) {
      faults.add("counters and inventory_view differ");
    }
    if (!faults.isEmpty()) {
      throw new BenchException("the audit is not clean:\n  " + String.join("\n  ", faults));
    }
    return "%,d yeses, all in the ledger; oversold 0, stranded 0, drift 0".formatted(yeses);
  }

  private static void expect(
      String what, long actual, long atLeast, long unheard, List<String> faults) {
    if (actual < atLeast || actual > atLeast + unheard) {
      faults.add(
          "%,d %s in the ledger, expected %,d to %,d"
              .formatted(actual, what, atLeast, atLeast + unheard));
    }
  }

  private void compare(Stock of, List<String> faults) {
    if (of.available() < 0) {
      faults.add("oversold: " + of);
    }
    long inRedis = places.sum(of.skuId(), bucket -> stock.available(of.skuId(), bucket));
    if (places.isInRedis(of.skuId()) && inRedis != of.available()) {
      faults.add("Redis would grant %d of %s".formatted(inRedis, of));
    }
  }

  /** Units that orders of each SKU have held, whatever became of them. */
  private NavigableMap<Long, Long> everHeld() {
    NavigableMap<Long, Long> everHeld = new TreeMap<>();
    ledger
        .query(
            """
            SELECT sku_id, CAST(SUM(qty) AS SIGNED) FROM stock_txn
            WHERE action = 'HOLD' GROUP BY sku_id\
            """,
            row -> row)
        .forEach(row -> everHeld.put(row.getLong(0), row.getLong(1)));
    return everHeld;
  }

  private static long sum(Map<Long, Long> values) {
    return values.values().stream().mapToLong(Long::longValue).sum();
  }
}
