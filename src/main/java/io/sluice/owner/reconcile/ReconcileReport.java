package io.sluice.owner.reconcile;

import io.sluice.model.BucketId;
import io.sluice.owner.reconcile.BucketDiff.SkipCause;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The result of one pass over the buckets of a partition.
 *
 * @param atMs when it ended, on the database's clock
 * @param compared the number of buckets that could be compared
 * @param drift the buckets that differed, at most {@link #NAMED_MAX} of them
 * @param drifted the number of buckets that differed
 */
public record ReconcileReport(
    int partition,
    long atMs,
    int compared,
    Map<SkipCause, Integer> passedOver,
    List<BucketId> drift,
    int drifted) {
  static final int NAMED_MAX = 100;

  String json() {
    JsonObject reasons = new JsonObject();
    passedOver.forEach((reason, count) -> reasons.put(nameOf(reason), count));
    JsonArray buckets = new JsonArray();
    drift.forEach(bucket -> buckets.add(bucket.toString()));
    return new JsonObject()
        .put("partition", partition)
        .put("at", atMs)
        .put("compared", compared)
        .put("passed_over", reasons)
        .put("drift", drifted)
        .put("drift_in", buckets)
        .encode();
  }

  private static String nameOf(SkipCause reason) {
    return reason.name().toLowerCase(Locale.ROOT);
  }
}
