package io.sluice.stock;

import io.sluice.model.BucketId;
import java.util.List;
import java.util.Map;

/**
 * The reply to {@link StockStore#reserveCarts}.
 *
 * @param outcomes one per cart, in order
 * @param buckets of each bucket, what a {@code reserve} of the lines in it would have replied
 * @param run the begin of the run id of the Redis process that decided; empty if no bucket is OK
 */
public record CartReply(
    List<CartOutcome> outcomes, Map<BucketId, ReserveReply> buckets, String run) {}
