package io.sluice.bench.site;

import io.sluice.bench.BenchException;
import io.sluice.testkit.mysql.LedgerReader.Stock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The audit after each row: every received yes is in the ledger, nothing is oversold or stranded,
 * and Redis agrees with the ledger.
 */
public final class BooksCheck {
  private final Site site;

  /** Must be made only when everything is booked. */
  public BooksCheck(Site site) {
    this.site = site;
  }

  /** Throws on any breach; returns the line for the report. */
  public String run() {
    Map<Long, Stock> view =
        site.ledger().view().stream().collect(Collectors.toMap(Stock::skuId, Function.identity()));
    Map<Long, Long> everHeld = site.counts().everHeld();
    List<String> faults = new ArrayList<>();
    long yeses = 0;
    for (Map.Entry<Long, Long> sale : site.accepted().entrySet()) {
      long heard = sale.getValue();
      long most = heard + site.unheard().getOrDefault(sale.getKey(), 0L);
      long ledgered = ledgered(everHeld, sale.getKey());
      yeses += heard;
      if (ledgered < heard || ledgered > most) {
        faults.add(
            "SKU %d: %d orders are in the ledger, expected %d to %d"
                .formatted(sale.getKey(), ledgered, heard, most));
      }
    }
    view.values().forEach(stock -> compare(stock, faults));
    if (site.ledger().skusInDisagreement() > 0) {
      faults.add("counters and inventory_view differ");
    }
    if (!faults.isEmpty()) {
      throw new BenchException("the audit is not clean:\n  " + String.join("\n  ", faults));
    }
    return "%,d yeses, all in the ledger; oversold 0, stranded 0, drift 0".formatted(yeses);
  }

  /** The orders in the ledger of the SKUs from this one up to the next that was counted apart. */
  private long ledgered(Map<Long, Long> everHeld, long first) {
    long next =
        site.accepted().keySet().stream()
            .filter(sku -> sku > first)
            .mapToLong(Long::longValue)
            .min()
            .orElse(Long.MAX_VALUE);
    return everHeld.entrySet().stream()
        .filter(sku -> sku.getKey() >= first && sku.getKey() < next)
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  private void compare(Stock stock, List<String> faults) {
    if (stock.available() < 0) {
      faults.add("oversold: " + stock);
    }
    if (site.partition(stock.skuId()) < 0) {
      return; // nothing of it is in Redis
    }
    long inRedis = site.inBuckets.available(stock.skuId());
    if (inRedis != stock.available()) {
      faults.add("Redis would grant %d of %s".formatted(inRedis, stock));
    }
  }
}
