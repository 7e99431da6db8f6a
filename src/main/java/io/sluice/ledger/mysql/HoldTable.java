package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.mysql.LedgerRows.LockedBucket;
import io.sluice.ledger.rules.OrderMove;
import io.sluice.ledger.rules.OrderNote;
import io.sluice.model.BucketId;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Appends the rows of orders; none is ever changed. Written only while their buckets are locked.
 */
public final class HoldTable {
  private static final int REJECTION = 1;
  private static final int LATE_PAYMENT = 2;
  private static final String NOBODY = "";

  private final SqlSession session;
  private final Map<BucketId, LockedBucket> locked;
  private final long nowMs;

  /**
   * @param locked the buckets of these orders, as they were when they were locked
   * @param nowMs the database's clock after that
   */
  public HoldTable(SqlSession session, Map<BucketId, LockedBucket> locked, long nowMs) {
    this.session = session;
    this.locked = locked;
    this.nowMs = nowMs;
  }

  /**
   * Appends new orders, in whatever state they are now, their moves and their notes.
   *
   * @param partitionOf each of the buckets
   */
  public Future<Void> append(
      ToIntFunction<BucketId> partitionOf,
      List<Order> inserted,
      List<OrderMove> moves,
      List<OrderNote> notes) {
    List<Tuple> holds = new ArrayList<>(inserted.size());
    Rows here = new Rows();
    Rows archive = new Rows();
    for (Order order : inserted) {
      int partition = partitionOf.applyAsInt(order.token().bucketId());
      if (order.status() == OrderStatus.REJECTED) {
        here.rejects.add(reject(partition, order, REJECTION, null));
      } else {
        holds.add(hold(partition, order));
      }
    }
    for (OrderMove move : moves) {
      Rows rows = move.after().archived() ? archive : here;
      if (move.after().status() == OrderStatus.REJECTED) {
        int partition = partitionOf.applyAsInt(move.after().token().bucketId());
        rows.rejects.add(reject(partition, move.after(), LATE_PAYMENT, move.reference()));
      } else {
        rows.moves.add(move(move));
      }
    }
    for (OrderNote note : notes) {
      int partition = partitionOf.applyAsInt(note.after().token().bucketId());
      (note.after().archived() ? archive : here).notes.add(note(partition, note));
    }
    return session
        .insert(SqlStatement.INSERT_HOLDS, holds)
        .compose(done -> session.insert(SqlStatement.INSERT_MOVES, here.moves))
        .compose(done -> session.insert(SqlStatement.INSERT_REJECTS, here.rejects))
        .compose(done -> session.insert(SqlStatement.INSERT_NOTES, here.notes))
        .compose(done -> session.insert(SqlStatement.INSERT_ARCHIVED_MOVES, archive.moves))
        .compose(done -> session.insert(SqlStatement.INSERT_ARCHIVED_REJECTS, archive.rejects))
        .compose(done -> session.insert(SqlStatement.INSERT_ARCHIVED_NOTES, archive.notes));
  }

  /** The rows that are appended to orders, here or in the archive. */
  private static final class Rows {
    private final List<Tuple> moves = new ArrayList<>();
    private final List<Tuple> rejects = new ArrayList<>();
    private final List<Tuple> notes = new ArrayList<>();
  }

  private Tuple note(int partition, OrderNote note) {
    OrderToken token = note.after().token();
    return Tuple.wrap(
        Arrays.asList(
            token.skuId(),
            token.bucket(),
            TokenBytes.of(token),
            note.number(),
            note.kind().name(),
            note.after().epoch(),
            note.after().seq(),
            partition,
            note.reference(),
            note.units(),
            note.payBeforeMs(),
            nowMs));
  }

  private Tuple hold(int partition, Order order) {
    return Tuple.wrap(
        Arrays.asList(
            order.token().skuId(),
            order.token().bucket(),
            order.epoch(),
            order.seq(),
            TokenBytes.of(order.token()),
            order.userId(),
            partition,
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
        move.kind() == OrderMove.Kind.CANCEL ? nameOf(order.reason()) : null,
        move.units(),
        nowMs,
        move.reference(),
        writeOf(order));
  }

  private Tuple reject(int partition, Order order, int step, @Nullable String paymentRef) {
    return Tuple.wrap(
        Arrays.asList(
            order.token().skuId(),
            order.token().bucket(),
            TokenBytes.of(order.token()),
            step,
            // Only the row of the rejection is read for it, and a buyer may be forgotten meanwhile.
            step == REJECTION ? order.userId() : NOBODY,
            partition,
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

  private long writeOf(Order order) {
    return Objects.requireNonNull(locked.get(order.token().bucketId())).nextWrite();
  }

  private static @Nullable String nameOf(@Nullable Reason reason) {
    return reason == null ? null : reason.name();
  }
}
