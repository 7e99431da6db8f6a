package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.BucketRow;
import io.sluice.ledger.BucketRow.LoadRow;
import io.sluice.ledger.Fence;
import io.sluice.ledger.SaleLedger.NewSale;
import io.sluice.ledger.SaleLedger.PutResult;
import io.sluice.ledger.SaleLedger.SaleSku;
import io.sluice.ledger.SaleSkus;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.SkuState;
import java.util.List;
import java.util.Optional;

/** A SKU that has ended and joins its next sale, and the orders of both. */
abstract class AgainScene extends SaleScene {
  static final int ALL = 1_000;

  BucketRow raise(BucketId bucket) {
    Fence owner = get(ledger().takeOver(row(bucket).partition(), 0));
    return get(ledger().raiseEpoch(owner, bucket, 0)).orElseThrow();
  }

  void end(long skuId) {
    change(skuId, StateChange.END);
    get(skus().bucketsOf(skuId)).forEach(row -> raise(row.id()));
    assertThat(known(skuId).state()).isEqualTo(SkuState.ENDED);
  }

  PutResult.Done again(SaleSku wanted) {
    return put(new NewSale(saleId + "-next", "next week", false, OPEN, List.of(wanted)));
  }

  static SaleSku with(SaleSku sku, long stock, int buckets) {
    return SaleSkus.of(sku.skuId(), stock, buckets, 2, MARKS);
  }

  Grant booked(BucketId bucket, int number, long saleNo) {
    Grant grant = grantOfSale(bucket, number, saleNo, row(bucket).epoch());
    read(bucket, reserve(grant));
    return grant;
  }

  Grant sold(BucketId bucket, int number, long saleNo) {
    Grant grant = booked(bucket, number, saleNo);
    apply(bucket, new Command.Confirm(grant.token(), null));
    return grant;
  }

  List<Grant> loaded(BucketId bucket) {
    return get(ledger().loadRows(row(bucket), Optional.empty(), ALL)).stream()
        .map(LoadRow::grant)
        .toList();
  }
}
