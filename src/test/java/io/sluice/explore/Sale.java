package io.sluice.explore;

import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.model.BucketId;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import java.util.List;
import java.util.stream.IntStream;

/** What is sold in a run: one SKU. */
final class Sale {
  static final long SKU = 7;

  private Sale() {}

  static NewSku of(Scenario scenario) {
    SkuSettings settings =
        new SkuSettings(scenario.paymentWindowS(), scenario.limitPerUser(), 0, 0);
    return new NewSku(SKU, scenario.units(), scenario.buckets(), Sku.Mode.FAST, settings);
  }

  static List<BucketId> buckets(Scenario scenario) {
    return IntStream.range(0, scenario.buckets()).mapToObj(i -> new BucketId(SKU, i)).toList();
  }
}
