package io.sluice.contract;

import io.sluice.ledger.DirectLedger;
import io.sluice.ledger.History;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SkuLedger;
import io.sluice.model.SkuState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A ledger under test: the owners' side and the operators' side.
 *
 * @param restarted the same ledger, as an instance sees it that has just started
 * @param partitions of the order log; at least 2
 * @param planted puts SKUs into sales
 * @param aged lets requests of owners become older
 * @param rows all that it keeps, as text, by table
 */
public record LedgerUnderTest(
    Ledger ledger,
    Supplier<Ledger> restarted,
    SkuLedger skus,
    SaleLedger sales,
    History history,
    DirectLedger direct,
    int partitions,
    PlantedSales planted,
    AgedRequests aged,
    Supplier<Map<String, List<String>>> rows) {

  /** Puts a SKU into a sale, and into a state, without anything else that belongs to it. */
  public interface PlantedSales {
    void put(long skuId, long saleNo, SkuState state);
  }

  /** Lets a request be as old as if it had been left so much earlier. */
  public interface AgedRequests {
    void age(long requestId, Duration by);
  }
}
