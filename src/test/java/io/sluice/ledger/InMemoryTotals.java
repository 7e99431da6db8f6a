package io.sluice.ledger;

import io.sluice.ledger.SaleLedger.Member;
import io.sluice.ledger.SaleLedger.StateTotals;
import io.sluice.model.BucketId;
import io.sluice.model.Sale;
import io.sluice.model.Sku;
import io.sluice.model.SkuState;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The units of a sale on the tables of an {@link InMemoryLedger}. */
final class InMemoryTotals {
  private final InMemoryTables tables;
  private final Map<SkuState, StateTotals> totals = new TreeMap<>();

  InMemoryTotals(InMemoryTables tables) {
    this.tables = tables;
  }

  /**
   * @param current its SKUs that are in no later sale
   */
  List<StateTotals> of(String saleId, List<Sku> current) {
    current.forEach(this::add);
    tables.earlier.of(saleId).forEach(this::add);
    return List.copyOf(totals.values());
  }

  private void add(Member left) {
    Sku sku = left.sku();
    add(new StateTotals(sku.state(), 1, 0, sku.stockNow(), 0, left.sold()));
  }

  private void add(Sku sku) {
    Sale sale = tables.sales.get(sku.membership().saleId());
    long behind = sku.membership().taken() < sale.version() ? 1 : 0;
    add(new StateTotals(sku.state(), 1, behind, 0, 0, 0));
    for (BucketId id : tables.bucketsOf(sku.skuId())) {
      InMemoryTables.Bucket bucket = tables.bucket(id);
      long base = bucket.base();
      add(
          new StateTotals(
              sku.state(), 0, 0, bucket.allotted() - base, bucket.held(), bucket.sold() - base));
    }
  }

  private void add(StateTotals more) {
    totals.merge(
        more.stored(),
        more,
        (a, b) ->
            new StateTotals(
                a.stored(),
                a.skus() + b.skus(),
                a.behind() + b.behind(),
                a.allotted() + b.allotted(),
                a.held() + b.held(),
                a.sold() + b.sold()));
  }
}
