package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.OwnerRequest;
import io.sluice.ledger.OwnerRequest.RequestKind;
import io.sluice.ledger.SaleLedger.ChangeResult;
import io.sluice.ledger.SaleLedger.NewSale;
import io.sluice.ledger.SaleLedger.PutResult;
import io.sluice.ledger.SaleLedger.SaleSku;
import io.sluice.ledger.SaleLedger.StateTotals;
import io.sluice.ledger.SaleSkus;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.model.Sale;
import io.sluice.model.Sale.SaleTerms;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings.Watermarks;
import io.sluice.model.SkuState;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Shorthand for the contracts of sales. A test has a sale of its own. */
abstract class SaleScene extends LedgerScene {
  private static final AtomicInteger SALES = new AtomicInteger();
  static final long FAR = 32_503_680_000_000L;
  static final SaleTerms OPEN = new SaleTerms(0, 0, 60, false);
  static final SaleTerms LATER = new SaleTerms(FAR, FAR + 1_000, 60, true);
  static final Watermarks MARKS = new Watermarks(30, 3);

  final String saleId = "sale-" + SALES.incrementAndGet() + ".of_" + System.nanoTime();

  // ---- shorthand

  final SaleSku wanted(long stock, int buckets) {
    return SaleSkus.of(newSkuId(), stock, buckets, 2, MARKS);
  }

  final NewSale sale(SaleTerms terms, SaleSku... skus) {
    return new NewSale(saleId, "Singles' day", false, terms, List.of(skus));
  }

  /** Puts a SKU of so many units and buckets into the sale. */
  final SaleSku putOne(SaleTerms terms, long stock, int buckets) {
    SaleSku sku = wanted(stock, buckets);
    put(terms, sku);
    return sku;
  }

  final PutResult.Done put(SaleTerms terms, SaleSku... skus) {
    return put(sale(terms, skus));
  }

  final PutResult.Done put(NewSale wanted) {
    PutResult result = get(sales().put(wanted));
    assertThat(result).isInstanceOf(PutResult.Done.class);
    return (PutResult.Done) result;
  }

  static final Sale done(ChangeResult result) {
    assertThat(result).isInstanceOf(ChangeResult.Done.class);
    return ((ChangeResult.Done) result).sale();
  }

  final void takeOverAll() {
    int steps = 0;
    while (get(sales().takeOver(saleId))) {
      assertThat(++steps).isLessThan(100);
    }
  }

  final long behind() {
    return get(sales().totals(saleId)).stream().mapToLong(StateTotals::behind).sum();
  }

  final List<Long> members() {
    return get(sales().skusOf(saleId, 0, 1_000)).stream().map(Sku::skuId).toList();
  }

  final List<OwnerRequest> loads(long skuId) {
    return requests(skuId, RequestKind.LOAD);
  }

  final long ceilings(long skuId) {
    return restocks(skuId, null).size();
  }

  final SkuState changed(StateChange change, long skuId) {
    assertThat(changeSale(saleId, change)).isInstanceOf(ChangeResult.Done.class);
    takeOverAll();
    return known(skuId).state();
  }
}
