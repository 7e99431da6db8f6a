package io.sluice.owner.outbox;

import io.sluice.ledger.Outbox.OutboxKind;
import io.sluice.ledger.Outbox.OutboxRow;
import io.sluice.ledger.rules.OutboxList;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.model.BucketId;
import io.sluice.owner.fencing.OwnerContext;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore.Release;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Puts the units of ended orders back on sale in Redis, after the commit that ended them;
 * idempotent by token.
 *
 * <p>A row has releases of many buckets, and is done when Redis has taken all of them. Rows with a
 * bucket that Redis cannot serve now stay pending and do not delay the others; when they are tried
 * again, what was released before is not released twice.
 */
final class ReleaseRelay {
  /** Rows of up to 500 releases each. */
  static final int ROWS_MAX = 16;

  static final int RELEASES_PER_CALL = 1_000;

  private final OwnerContext context;
  private long afterId;

  ReleaseRelay(OwnerContext context) {
    this.context = context;
  }

  /** Relays one page of the pass; false when its end is reached. */
  Future<Boolean> relay() {
    return context
        .ledger()
        .pending(context.ownership().partition(), OutboxKind.RELEASE, afterId, ROWS_MAX)
        .compose(this::releasePage)
        .onFailure(failure -> afterId = 0);
  }

  private Future<Boolean> releasePage(List<OutboxRow> rows) {
    boolean more = rows.size() == ROWS_MAX;
    afterId = more ? rows.get(rows.size() - 1).id() : 0;
    Map<BucketId, List<Released>> byBucket = new LinkedHashMap<>();
    for (OutboxRow row : rows) {
      for (String entry : OutboxList.entries(row.payload())) {
        Released one = Released.of(row, entry);
        byBucket
            .computeIfAbsent(one.release().token().bucketId(), id -> new ArrayList<>())
            .add(one);
      }
    }
    Set<Long> left = new HashSet<>();
    List<Future<Void>> calls = new ArrayList<>();
    byBucket.forEach(
        (bucket, all) -> {
          for (int from = 0; from < all.size(); from += RELEASES_PER_CALL) {
            int end = Math.min(all.size(), from + RELEASES_PER_CALL);
            calls.add(release(bucket, all.subList(from, end), left));
          }
        });
    return Future.join(calls)
        .transform(called -> markSent(rows.stream().map(OutboxRow::id), left))
        .map(more);
  }

  private Future<Void> markSent(Stream<Long> ids, Set<Long> left) {
    List<Long> done = ids.filter(id -> !left.contains(id)).toList();
    return done.isEmpty() ? Future.succeededFuture() : context.ledger().sent(done);
  }

  /** An entry of a row. */
  private record Released(long rowId, Release release) {
    static Released of(OutboxRow row, String entry) {
      OutboxPayload.Release release = OutboxPayload.releaseOf(entry);
      return new Released(row.id(), new Release(release.token(), release.epoch(), release.seq()));
    }
  }

  /**
   * @param left the rows with an entry that Redis has not taken; these are added
   */
  private Future<Void> release(BucketId bucket, List<Released> some, Set<Long> left) {
    return context
        .stock()
        .release(bucket, context.ownership().term(), some.stream().map(Released::release).toList())
        .onComplete(
            code -> {
              if (code.failed() || code.result() != BucketCode.OK) {
                some.forEach(one -> left.add(one.rowId()));
              }
            })
        .compose(
            code ->
                code == BucketCode.STALE_TERM
                    ? context.owned().apply(List.of()).mapEmpty()
                    : Future.succeededFuture());
  }
}
