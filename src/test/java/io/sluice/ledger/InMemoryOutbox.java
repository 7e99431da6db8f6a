package io.sluice.ledger;

import io.sluice.ledger.Ledger.InstanceSettings;
import io.sluice.ledger.Ledger.LendResult;
import io.sluice.ledger.Ledger.MarkedStock;
import io.sluice.ledger.Move.Borrow;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.rules.OutboxList;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.ledger.rules.OutboxPayload.OutboxDraft;
import io.sluice.model.BucketId;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The part of the in-memory ledger that keeps the rows to be delivered, and requests of owners. */
abstract class InMemoryOutbox extends InMemoryArchives {
  final InMemoryQueries queries = new InMemoryQueries(tables);
  final InstantSource clock;

  final InMemoryRequests requests;

  InMemoryOutbox(InstantSource clock) {
    this.clock = clock;
    this.requests = new InMemoryRequests(tables, clock);
  }

  /** Sets the settings that another instance has written into the ledger. */
  public void instance(long grantDeadlineMs, long sweepAfterMs) {
    tables.longest = new InstanceSettings(grantDeadlineMs, sweepAfterMs);
  }

  /** Returns an action that puts the ledger back to its current state. */
  public Runnable backup() {
    return tables.backup();
  }

  @Override
  public Future<List<OutboxRow>> pending(int partition, OutboxKind kind, long afterId, int limit) {
    return Future.succeededFuture(queries.pending(partition, kind, afterId, limit));
  }

  @Override
  public Future<Void> sent(List<OutboxRow> rows) {
    rows.forEach(tables::markSent);
    return Future.succeededFuture();
  }

  @Override
  public Future<Boolean> keepRest(Fence fence, Map<OutboxRow, List<String>> rest) {
    if (!holds(fence)) {
      return Future.succeededFuture(false);
    }
    List<String> left = new ArrayList<>();
    rest.keySet().stream()
        .sorted(Comparator.comparingLong(OutboxRow::id))
        .filter(tables::isPending)
        .forEach(
            row -> {
              tables.markSent(row);
              left.addAll(rest.get(row));
            });
    OutboxList.combined(OutboxPayload.releases(fence.partition(), left))
        .forEach(draft -> tables.leave(draft, clock.millis()));
    return Future.succeededFuture(true);
  }

  static void leaveAll(InMemoryTables tables, List<OutboxDraft> drafts, long nowMs) {
    OutboxList.combined(drafts).forEach(draft -> tables.leave(draft, nowMs));
  }

  @Override
  public Future<List<MarkedStock>> markedStocks(int partition, long afterSkuId, int limit) {
    return Future.succeededFuture(new InMemoryMarks(tables).page(partition, afterSkuId, limit));
  }

  @Override
  public Future<Boolean> crossMarks(Fence fence, long afterSkuId, int limit) {
    if (!holds(fence)) {
      return Future.succeededFuture(false);
    }
    new InMemoryMarks(tables).cross(fence.partition(), afterSkuId, limit, clock.millis());
    return Future.succeededFuture(true);
  }

  @Override
  public Future<Set<BucketId>> borrow(List<Borrow> borrows) {
    return borrows.isEmpty() || borrows.size() > SkuLedger.BORROWS_MAX
        ? Future.failedFuture(new IllegalArgumentException("Expected some requests"))
        : Future.succeededFuture(new InMemoryMoves(tables).borrow(borrows, clock.millis()));
  }

  @Override
  public Future<LendResult> lend(Fence fence, Move move) {
    return Future.succeededFuture(
        holds(fence)
            ? new InMemoryMoves(tables).lend(fence.partition(), move, clock.millis())
            : LendResult.FENCE_LOST);
  }

  /** Whether events are left that were sent and are not noted. */
  public boolean hasSentEvents() {
    return tables.outbox.values().stream()
        .anyMatch(stored -> stored.sent() && stored.row().kind() == OutboxKind.EVENT);
  }

  @Override
  public Future<Boolean> noteSent(int partition) {
    return Future.succeededFuture(queries.noteSent(partition));
  }

  @Override
  public Future<Integer> purge(int partition, long beforeMs, int limit) {
    return Future.succeededFuture(queries.purge(partition, beforeMs, limit));
  }

  @Override
  public Future<List<OwnerRequest>> openRequests(
      Collection<Integer> partitions, long afterId, int limit) {
    return Future.succeededFuture(queries.openRequests(partitions, afterId, limit));
  }

  @Override
  public Future<Void> answerRequests(Collection<Long> ids, String answer) {
    ids.forEach(id -> requests.answer(id, answer));
    return Future.succeededFuture();
  }

  /** Lets a request be as old as if it had been left so much earlier. */
  public void age(long requestId, Duration by) {
    requests.age(requestId, by);
  }

  /** The answer that the request has; empty while it has none. */
  @Override
  public Future<Optional<String>> answer(long requestId) {
    return Future.succeededFuture(requests.answerOf(requestId));
  }

  /** Puts a bucket into this epoch, as only a defect could. */
  public void plantEpoch(BucketId id, long epoch) {
    tables.write(id, tables.bucket(id).inEpoch(epoch));
  }

  /** Ends a bucket, whatever is held, as only a defect could. */
  public void plantEnd(BucketId id) {
    tables.gone.ended.add(id);
  }

  /** Changes a version without a change of its bucket, as only a defect could. */
  public void plantVersion(BucketId id, long by) {
    InMemoryTables.Bucket was = tables.bucket(id);
    tables.buckets.put(
        id,
        new InMemoryTables.Bucket(
            was.partition(),
            was.allotted(),
            was.held(),
            was.sold(),
            was.epoch(),
            was.version() + by,
            was.base(),
            was.sinceEpoch(),
            was.withdrawn()));
  }
}
