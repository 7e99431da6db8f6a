package io.sluice.owner.outbox;

import io.sluice.ledger.Outbox.OutboxKind;
import io.sluice.ledger.Outbox.OutboxRow;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.model.BucketId;
import io.sluice.owner.fencing.OwnerContext;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore.Release;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Puts the units of ended orders back on sale in Redis, after the commit that ended them;
 * idempotent by token.
 *
 * <p>Rows of a bucket that Redis cannot serve now stay pending and do not delay the others.
 */
final class ReleaseRelay {
  static final int PAGE_MAX = 1_000;

  private final OwnerContext context;
  private long afterId;

  ReleaseRelay(OwnerContext context) {
    this.context = context;
  }

  /** Relays one page of the pass; false when its end is reached. */
  Future<Boolean> relay() {
    return context
        .ledger()
        .pending(context.ownership().partition(), OutboxKind.RELEASE, afterId, PAGE_MAX)
        .compose(this::releasePage)
        .onFailure(failure -> afterId = 0);
  }

  private Future<Boolean> releasePage(List<OutboxRow> rows) {
    boolean more = rows.size() == PAGE_MAX;
    afterId = more ? rows.get(rows.size() - 1).id() : 0;
    Map<BucketId, List<OutboxRow>> byBucket = new LinkedHashMap<>();
    rows.forEach(
        row ->
            byBucket
                .computeIfAbsent(releaseOf(row).token().bucketId(), id -> new ArrayList<>())
                .add(row));
    List<Long> done = new ArrayList<>();
    List<Future<Void>> calls = new ArrayList<>();
    byBucket.forEach((bucket, ofBucket) -> calls.add(release(bucket, ofBucket, done)));
    return Future.join(calls)
        .transform(
            called -> done.isEmpty() ? Future.succeededFuture() : context.ledger().sent(done))
        .map(more);
  }

  private Future<Void> release(BucketId bucket, List<OutboxRow> rows, List<Long> done) {
    List<Release> releases = rows.stream().map(row -> releaseOf(row)).toList();
    return context
        .stock()
        .release(bucket, context.ownership().term(), releases)
        .compose(
            code -> {
              if (code == BucketCode.OK) {
                rows.forEach(row -> done.add(row.id()));
              }
              return code == BucketCode.STALE_TERM
                  ? context.owned().apply(List.of()).mapEmpty()
                  : Future.succeededFuture();
            });
  }

  private static Release releaseOf(OutboxRow row) {
    OutboxPayload.Release release = OutboxPayload.releaseOf(row.payload());
    return new Release(release.token(), release.epoch(), release.seq());
  }
}
