package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.SaleLedger.Member;
import io.sluice.ledger.SaleLedger.SaleSku;
import io.sluice.ledger.SaleLedger.StateTotals;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.model.BucketId;
import io.sluice.model.SkuState;
import java.util.List;

/** A sale whose SKUs have ended and go on to the next one. */
abstract class LeftSaleScene extends AgainScene {
  static final int STEPS_MAX = 1_000;

  final String nextId = saleId + "-next";

  SkuState stateOf(String sale) {
    return get(sales().sale(sale)).orElseThrow().sale().state();
  }

  void takeOverAll(String sale) {
    for (int step = 0; get(sales().takeOver(sale)); step++) {
      assertThat(step).isLessThan(STEPS_MAX);
    }
  }

  /** Ends the sale, and the SKUs that are in it. */
  void endSale(String sale, SaleSku... skus) {
    done(changeSale(sale, StateChange.END));
    takeOverAll(sale);
    for (SaleSku sku : skus) {
      get(skus().bucketsOf(sku.skuId())).forEach(row -> raise(row.id()));
    }
    takeOverAll(sale);
    assertThat(stateOf(sale)).isEqualTo(SkuState.ENDED);
  }

  void archiveAll() {
    for (int step = 0; get(ledger().archiveNext(2)); step++) {
      assertThat(step).isLessThan(STEPS_MAX);
    }
  }

  List<StateTotals> totals(String sale) {
    return get(sales().totals(sale));
  }

  List<Member> membersOf(String sale) {
    return get(sales().members(sale, 0, ALL));
  }

  static BucketId bucketOf(SaleSku sku) {
    return new BucketId(sku.skuId(), 0);
  }
}
