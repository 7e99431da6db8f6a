package io.sluice.owner;

import io.sluice.async.AsyncLoop;
import io.sluice.ledger.BucketRow;
import io.sluice.ledger.OutboxRow;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.rules.OutboxList;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.model.BucketId;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore.Release;
import io.sluice.tracing.BatchTrace;
import io.sluice.tracing.BatchTrace.BatchStep;
import io.sluice.tracing.Span.Attributes;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Puts the units of ended orders back on sale in Redis, after the commit that ended them;
 * idempotent by token.
 *
 * <p>A row has releases of many buckets. Those of buckets that Redis cannot serve now are left. A
 * row of which some were taken is replaced by one with the rest, so that released units are not
 * sent again for as long as one bucket is shut. After a crash between the two it is sent again, and
 * nothing is released twice. Rows that are left stay pending and do not delay the others.
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
    Map<OutboxRow, Integer> sizes = new LinkedHashMap<>();
    Map<BucketId, List<Released>> byBucket = new LinkedHashMap<>();
    for (OutboxRow row : rows) {
      List<String> entries = OutboxList.entries(row.payload());
      sizes.put(row, entries.size());
      for (String entry : entries) {
        Released one = Released.of(row, entry);
        byBucket
            .computeIfAbsent(one.release().token().bucketId(), id -> new ArrayList<>())
            .add(one);
      }
    }
    Map<OutboxRow, List<String>> left = new HashMap<>();
    List<Long> dueMs = new ArrayList<>();
    List<Future<Void>> calls = new ArrayList<>();
    byBucket.forEach(
        (bucket, all) ->
            AsyncLoop.parts(all, RELEASES_PER_CALL)
                .forEach(some -> calls.add(release(bucket, some, left, dueMs))));
    return Future.join(calls)
        .onComplete(called -> measure(dueMs))
        .transform(called -> settle(sizes, left))
        .map(more);
  }

  /** The ledger's clock, which says when an order is due; nothing waits for it. */
  private void measure(List<Long> dueMs) {
    if (!dueMs.isEmpty()) {
      context
          .ledger()
          .nowMs()
          .onSuccess(nowMs -> dueMs.forEach(due -> context.meters().onSaleAgain(nowMs - due)));
    }
  }

  /** Marks the rows that are done, and replaces those that are done in part. */
  private Future<Void> settle(Map<OutboxRow, Integer> sizes, Map<OutboxRow, List<String>> left) {
    List<OutboxRow> done = sizes.keySet().stream().filter(row -> !left.containsKey(row)).toList();
    Map<OutboxRow, List<String>> rest = new HashMap<>(left);
    sizes.forEach(
        (row, size) -> rest.computeIfPresent(row, (same, all) -> all.size() == size ? null : all));
    return (done.isEmpty() ? Future.<Void>succeededFuture() : context.ledger().sent(done))
        .compose(marked -> rest.isEmpty() ? Future.succeededFuture() : keepRest(rest));
  }

  private Future<Void> keepRest(Map<OutboxRow, List<String>> rest) {
    return context
        .ledger()
        .keepRest(context.ownership().fence(), rest)
        .compose(context.ownership()::expectHeld);
  }

  /** An entry of a row. */
  private record Released(OutboxRow row, String entry, Release release, long dueMs) {
    static Released of(OutboxRow row, String entry) {
      OutboxPayload.Release release = OutboxPayload.releaseOf(entry);
      return new Released(
          row,
          entry,
          new Release(
              release.token(), release.epoch(), release.seq(), release.left(), release.withdrawn()),
          release.dueMs());
    }
  }

  /**
   * Those of these releases that Redis has to do. None if their bucket has ended, or is on another
   * partition for its next sale, and none of an earlier sale, of which Redis has nothing.
   */
  private Future<List<Released>> toDo(BucketId bucket, BucketCode code, List<Released> some) {
    if (code == BucketCode.OK || code == BucketCode.STALE_TERM) {
      return Future.succeededFuture(code == BucketCode.OK ? List.of() : some);
    }
    return context.ledger().bucket(bucket).map(found -> toDo(found, some));
  }

  private List<Released> toDo(Optional<BucketRow> found, List<Released> some) {
    if (found.isEmpty()) {
      return some;
    }
    BucketRow row = found.get();
    return context.ownership().isGone(row)
        ? List.of()
        : some.stream().filter(one -> !row.isEarlier(one.release().epoch())).toList();
  }

  /**
   * @param left by their row, the entries that Redis has not taken; these are added
   * @param dueMs when the orders were due that timed out, of what it has taken; these are added
   */
  private Future<Void> release(
      BucketId bucket, List<Released> some, Map<OutboxRow, List<String>> left, List<Long> dueMs) {
    BatchTrace trace =
        BatchTrace.begin(context.traced().traces(), BatchStep.RELEASE, System.nanoTime());
    for (Released one : some) {
      String token = one.release().token().value();
      trace.add(context.traced().of(token), token);
    }
    Future<BucketCode> asked =
        context
            .stock()
            .release(
                bucket, context.ownership().term(), some.stream().map(Released::release).toList())
            .onComplete(code -> end(trace, some.size(), code));
    return asked
        .compose(code -> toDo(bucket, code, some))
        .onComplete(
            rest -> {
              keep(rest.failed() ? some : rest.result(), left);
              if (asked.result() == BucketCode.OK) {
                some.stream().map(Released::dueMs).filter(due -> due > 0).forEach(dueMs::add);
              }
            })
        .compose(
            rest ->
                asked.result() == BucketCode.STALE_TERM
                    ? context.owned().apply(List.of()).mapEmpty()
                    : Future.succeededFuture());
  }

  private void end(BatchTrace trace, int size, AsyncResult<BucketCode> asked) {
    Map<String, Object> place = Attributes.ofPartition(context.ownership().partition());
    BucketCode code = asked.result();
    if (code == null || code == BucketCode.OK) {
      trace.end(System.nanoTime(), size, List.of(), place, BatchTrace.errorOf(asked));
    } else {
      trace.endRefused(System.nanoTime(), size, place, code.name());
    }
  }

  private static void keep(List<Released> some, Map<OutboxRow, List<String>> left) {
    some.forEach(one -> left.computeIfAbsent(one.row(), row -> new ArrayList<>()).add(one.entry()));
  }
}
