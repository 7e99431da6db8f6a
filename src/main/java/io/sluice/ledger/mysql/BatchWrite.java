package io.sluice.ledger.mysql;

import io.sluice.async.AsyncLoop;
import io.sluice.db.SqlSession;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.History.Chapter;
import io.sluice.ledger.StockTxn;
import io.sluice.ledger.mysql.BucketTable.LockedBucket;
import io.sluice.ledger.rules.BatchChanges;
import io.sluice.ledger.rules.BatchChanges.OrderMove;
import io.sluice.ledger.rules.BatchChanges.OrderNote;
import io.sluice.ledger.rules.BatchChanges.Returned;
import io.sluice.ledger.rules.BatchSnapshot;
import io.sluice.ledger.rules.OutboxList;
import io.sluice.ledger.rules.RestockPlan;
import io.sluice.model.BucketId;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes what batches have changed, which share no bucket: appends the rows of orders, of which
 * none is ever changed, and counts them in their buckets, which are locked.
 *
 * @param nowMs the database's clock after that
 */
record BatchWrite(SqlSession session, Map<BucketId, LockedBucket> locked, long nowMs) {
  private static final int REJECTION = 1;

  private static final int LATE_PAYMENT = 2;

  private static final String NOBODY = "";

  /**
   * @param round in the order in which events are to be sent
   */
  Future<Void> write(Collection<BatchChanges> round) {
    Map<BucketId, Long> gathered = new TreeMap<>();
    round.forEach(changes -> gathered.putAll(changes.gathered()));
    return gathered(gathered)
        .compose(done -> append(round))
        .compose(done -> returned(all(round, BatchChanges::returned)))
        .compose(done -> BucketTable.count(session, all(round, this::buckets)))
        .compose(
            done ->
                OutboxTable.insert(
                    session, all(round, one -> OutboxList.combined(one.outbox())), nowMs));
  }

  private static <T> List<T> all(
      Collection<BatchChanges> round, Function<BatchChanges, List<T>> of) {
    return round.stream().flatMap(changes -> of.apply(changes).stream()).toList();
  }

  /**
   * Appends the rows of units that move between buckets of a SKU, so that its grants have room. The
   * allotments are written with the counters, and the outbox brings them to the heads.
   *
   * @param gathered by bucket, in order; those of a SKU add up to nothing
   */
  private Future<Void> gathered(Map<BucketId, Long> gathered) {
    if (gathered.isEmpty()) {
      return Future.succeededFuture();
    }
    List<StockTxn> rows = new ArrayList<>();
    Map<Long, String> moves = new HashMap<>();
    gathered.forEach(
        (id, units) -> {
          String move =
              moves.computeIfAbsent(
                  id.skuId(), first -> RestockPlan.moveId(id.bucket(), nextWrite(id)));
          rows.add(StockTxn.restock(RestockPlan.token(move, id.bucket(), 1), id, units));
        });
    return RestockTable.append(session, rows, this::nextWrite, nowMs);
  }

  /** Appends new orders, in whatever state they are now, their moves and their notes. */
  private Future<Void> append(Collection<BatchChanges> round) {
    Rows here = new Rows();
    Rows archive = new Rows();
    round.forEach(changes -> collect(changes, here, archive));
    return session
        .insert(SqlStatement.INSERT_HOLDS, here.holds)
        .compose(done -> session.insert(SqlStatement.INSERT_MOVES, here.moves))
        .compose(done -> session.insert(SqlStatement.INSERT_REJECTS, here.rejects))
        .compose(done -> session.insert(SqlStatement.INSERT_NOTES, here.notes))
        .compose(done -> session.insert(SqlStatement.INSERT_ARCHIVED_MOVES, archive.moves))
        .compose(done -> session.insert(SqlStatement.INSERT_ARCHIVED_REJECTS, archive.rejects))
        .compose(done -> session.insert(SqlStatement.INSERT_ARCHIVED_NOTES, archive.notes));
  }

  private void collect(BatchChanges changes, Rows here, Rows archive) {
    for (Order order : changes.inserted()) {
      if (order.status() == OrderStatus.REJECTED) {
        here.rejects.add(reject(order, REJECTION, null));
      } else {
        here.holds.add(hold(order));
      }
    }
    for (OrderMove move : changes.moves()) {
      Rows rows = move.after().archived() ? archive : here;
      if (move.after().status() == OrderStatus.REJECTED) {
        rows.rejects.add(reject(move.after(), LATE_PAYMENT, move.reference()));
      } else {
        rows.moves.add(move(move));
      }
    }
    for (OrderNote note : changes.notes()) {
      (note.after().archived() ? archive : here).notes.add(note(note));
    }
  }

  /** The rows that are appended to orders, here or in the archive. */
  private static final class Rows {
    private final List<Tuple> holds = new ArrayList<>();
    private final List<Tuple> moves = new ArrayList<>();
    private final List<Tuple> rejects = new ArrayList<>();
    private final List<Tuple> notes = new ArrayList<>();
  }

  private Tuple note(OrderNote note) {
    OrderToken token = note.after().token();
    return Tuple.wrap(
        Arrays.asList(
            token.skuId(),
            token.bucket(),
            OrderRows.idOf(token),
            note.number(),
            note.kind().name(),
            note.after().epoch(),
            note.after().seq(),
            partitionOf(token),
            note.reference(),
            note.units(),
            note.payBeforeMs(),
            nowMs));
  }

  private Tuple hold(Order order) {
    return Tuple.wrap(
        Arrays.asList(
            order.token().skuId(),
            order.token().bucket(),
            order.epoch(),
            order.seq(),
            OrderRows.idOf(order.token()),
            order.userId(),
            partitionOf(order.token()),
            order.qty(),
            order.payBeforeMs(),
            order.createdAtMs(),
            nowMs,
            order.reference(),
            order.saleNo(),
            writeOf(order),
            cartOf(order)));
  }

  private Tuple move(OrderMove move) {
    Order order = move.after();
    return Tuple.of(
        order.token().skuId(),
        order.token().bucket(),
        order.epoch(),
        order.seq(),
        move.step(),
        move.kind().name(),
        reasonOf(move),
        move.units(),
        nowMs,
        move.reference(),
        writeOf(order));
  }

  private static @Nullable String reasonOf(OrderMove move) {
    return move.withdrawn()
        ? Chapter.WITHDRAWN
        : move.kind() == OrderMove.Kind.CANCEL ? nameOf(move.after().reason()) : null;
  }

  private Tuple reject(Order order, int step, @Nullable String paymentRef) {
    return Tuple.wrap(
        Arrays.asList(
            order.token().skuId(),
            order.token().bucket(),
            OrderRows.idOf(order.token()),
            step,
            // Only the row of the rejection is read for it, and a buyer may be forgotten meanwhile.
            step == REJECTION ? order.userId() : NOBODY,
            partitionOf(order.token()),
            order.qty(),
            order.seq(),
            order.epoch(),
            nameOf(order.reason()),
            order.payBeforeMs(),
            order.createdAtMs(),
            nowMs,
            paymentRef,
            order.saleNo(),
            step == REJECTION ? cartOf(order) : null));
  }

  private static @Nullable String cartOf(Order order) {
    return order.cart() == null ? null : order.cart().text();
  }

  private static @Nullable String nameOf(@Nullable Reason reason) {
    return reason == null ? null : reason.name();
  }

  /**
   * Units of refunded orders leave the stock, those of earlier sales in any case: writes the rows,
   * and lowers the totals and what the earlier sales have sold. The counters of the buckets are
   * written with those of the batch.
   */
  private Future<Void> returned(List<Returned> returned) {
    if (returned.isEmpty()) {
      return Future.succeededFuture();
    }
    List<StockTxn> rows = returned.stream().map(Returned::row).toList();
    Map<Long, Long> units = new TreeMap<>();
    rows.forEach(row -> units.merge(row.bucket().skuId(), -row.qty(), Long::sum));
    return RestockTable.append(session, rows, this::nextWrite, nowMs)
        .compose(
            done ->
                AsyncLoop.forEach(
                    units.entrySet(),
                    sku -> SkuTable.lowerTotal(session, sku.getKey(), sku.getValue())))
        .compose(done -> SaleTable.lowerLeft(session, returned));
  }

  /** The buckets that have new rows, or other counters. */
  private List<BucketTable.Written> buckets(BatchChanges changes) {
    Map<BucketId, BatchSnapshot.Bucket> after = new TreeMap<>();
    Map<BucketId, Long> rejects = new HashMap<>();
    Map<BucketId, Long> notes = new HashMap<>();
    for (Order order : changes.inserted()) {
      BucketId id = order.token().bucketId();
      after.computeIfAbsent(id, this::counters);
      if (order.status() == OrderStatus.REJECTED) {
        rejects.merge(id, 1L, Long::sum);
      }
    }
    for (OrderMove move : changes.moves()) {
      after.computeIfAbsent(move.after().token().bucketId(), this::counters);
    }
    for (OrderNote note : changes.notes()) {
      BucketId id = note.after().token().bucketId();
      after.computeIfAbsent(id, this::counters);
      notes.merge(id, 1L, Long::sum);
    }
    changes.buckets().forEach(change -> after.put(change.after().id(), change.after()));
    return after.values().stream()
        .map(
            bucket ->
                new BucketTable.Written(
                    bucketOf(bucket.id()),
                    bucket,
                    rejects.getOrDefault(bucket.id(), 0L),
                    notes.getOrDefault(bucket.id(), 0L),
                    changes.gathered().getOrDefault(bucket.id(), 0L)))
        .toList();
  }

  private long writeOf(Order order) {
    return nextWrite(order.token().bucketId());
  }

  private long nextWrite(BucketId id) {
    return bucketOf(id).nextWrite();
  }

  /** The partition whose owner has an order of this bucket. */
  private int partitionOf(OrderToken token) {
    return bucketOf(token.bucketId()).partition();
  }

  private BatchSnapshot.Bucket counters(BucketId id) {
    return bucketOf(id).counters();
  }

  private LockedBucket bucketOf(BucketId id) {
    return Objects.requireNonNull(locked.get(id));
  }
}
