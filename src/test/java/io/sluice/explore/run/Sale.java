package io.sluice.explore.run;

import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.model.BucketId;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import java.util.List;
import java.util.stream.IntStream;

/** The one SKU that is sold in a run. */
public final class Sale {
  public static final long SKU = 7;

  private Sale() {}

  static NewSku of(Scenario scenario) {
    SkuSettings settings =
        new SkuSettings(scenario.paymentWindowS(), scenario.limitPerUser(), 0, 0);
    return new NewSku(SKU, scenario.units(), scenario.buckets(), Sku.Mode.FAST, settings);
  }

  public static List<BucketId> buckets(Scenario scenario) {
    return IntStream.range(0, scenario.buckets()).mapToObj(i -> new BucketId(SKU, i)).toList();
  }
}
