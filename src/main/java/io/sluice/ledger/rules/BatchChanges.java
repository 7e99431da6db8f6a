package io.sluice.ledger.rules;

import static io.sluice.model.OrderStatus.CANCELED;

import io.sluice.ledger.Ledger.Booked;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.Step.Result;
import io.sluice.ledger.StockTxn;
import io.sluice.ledger.rules.BatchSnapshot.Bucket;
import io.sluice.ledger.rules.OutboxPayload.OutboxDraft;
import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The changes that a batch makes to its {@link BatchSnapshot}: the rows to write, and what its
 * owner must know of them.
 *
 * @param inserted new orders, in their state after the batch
 * @param updated existing orders, before and after
 * @param moves changes of orders, new ones included, in command order
 * @param notes of orders, new ones included, in command order
 * @param buckets counters that differ, before and after
 * @param gathered units that moved between buckets of a SKU, by bucket, to make room
 * @param returned units that leave the stock
 * @param outbox in command order
 * @param booked tokens of the RESERVE commands that are in the ledger now
 * @param full buckets at which the gate had no room, nor any other of their SKU as far as these are
 *     locked
 * @param stale grants that were dropped because of an older epoch
 * @param ahead buckets that were raised to the epoch of a grant, or to which units were gathered
 * @param clashing buckets in which two orders claim one seq; the second one is dead-lettered
 * @param dead how many commands were dead-lettered, by cause
 */
public record BatchChanges(
    List<Order> inserted,
    List<Change<Order>> updated,
    List<OrderMove> moves,
    List<OrderNote> notes,
    List<Change<Bucket>> buckets,
    Map<BucketId, Long> gathered,
    List<Returned> returned,
    List<OutboxDraft> outbox,
    List<OrderToken> booked,
    List<BucketId> full,
    List<Grant> stale,
    List<BucketId> ahead,
    List<BucketId> clashing,
    Map<DeadCause, Integer> dead) {

  /** A row with which units leave the stock, and the number of the sale that they are of. */
  public record Returned(StockTxn row, long saleNo) {}

  /** A row before and after. */
  public record Change<T>(T before, T after) {}

  /** The buckets that differ, in their order. */
  static List<Change<Bucket>> between(Map<BucketId, Bucket> before, Map<BucketId, Bucket> after) {
    List<Change<Bucket>> changed = new ArrayList<>();
    new TreeMap<>(before)
        .forEach(
            (id, was) -> {
              Bucket now = after.getOrDefault(id, was);
              if (!now.equals(was)) {
                changed.add(new Change<>(was, now));
              }
            });
    return changed;
  }

  /**
   * For each order that its time-out ended, how long after its payment deadline that was;
   * milliseconds.
   */
  public List<Long> timeoutLagsMs() {
    return updated.stream()
        .map(Change::after)
        .filter(order -> order.status() == CANCELED && order.reason() == Reason.TIMEOUT)
        .filter(order -> !order.isFollower())
        .map(order -> order.updatedAtMs() - order.payBeforeMs())
        .toList();
  }

  /** How many orders were written; one of several lines counts once. */
  public int newOrders() {
    return (int) inserted.stream().filter(order -> !order.isFollower()).count();
  }

  /** How many of the RESERVE commands had an order before. */
  public int repeated() {
    Set<OrderToken> fresh = inserted.stream().map(Order::token).collect(Collectors.toSet());
    return (int) booked.stream().filter(token -> !fresh.contains(token)).count();
  }

  /** How long before {@code nowMs} the oldest of the new orders was granted; 0 without any. */
  public long bookedLagMs(long nowMs) {
    return inserted.stream().mapToLong(order -> nowMs - order.createdAtMs()).max().orElse(0);
  }

  /**
   * The result of a booking past the log: every order of the batch, in its state after the batch.
   */
  public Booked booked(BatchSnapshot snapshot) {
    boolean unsound = !full.isEmpty() || !ahead.isEmpty() || !clashing.isEmpty();
    return new Booked(orders(snapshot), unsound);
  }

  private Map<OrderToken, Order> orders(BatchSnapshot snapshot) {
    Map<OrderToken, Order> orders = new HashMap<>(snapshot.orders());
    updated.forEach(change -> orders.put(change.after().token(), change.after()));
    inserted.forEach(order -> orders.put(order.token(), order));
    return Wholes.of(orders);
  }

  /** The result of a batch of an owner. */
  public Result.Applied applied(BatchSnapshot snapshot) {
    Set<OutboxKind> kinds = outbox.stream().map(OutboxDraft::kind).collect(Collectors.toSet());
    return new Result.Applied(
        booked, full, stale, ahead, clashing, kinds, orders(snapshot).values(), earliestDueMs());
  }

  private long earliestDueMs() {
    return notes.stream()
        .filter(note -> note.kind() == OrderNote.Kind.EXTENDED)
        .mapToLong(OrderNote::payBeforeMs)
        .reduce(Result.earliestDueMs(inserted), Math::min);
  }

  /** Why a command cannot be applied. */
  public enum DeadCause {
    /** Its bucket is not in the ledger. */
    UNKNOWN_BUCKET,
    /** A value of its grant cannot be that of an order. */
    FLAW,
    /** Its epoch is too far ahead of its bucket's. */
    EPOCH,
    /** Another order of its epoch has its seq. */
    SEQ,
    /** It cannot be read, or the database refuses to store it. */
    MALFORMED;

    /** Its name in metrics. */
    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** The result of replaying a batch, and the snapshot that it was replayed on. */
  public record Replayed(BatchSnapshot snapshot, BatchChanges changes) {}

  /**
   * A change of an order that exists: one more row, which is never changed. Its step is the number
   * of changes so far, this one included.
   *
   * @param after the order after this change
   * @param units that moved
   * @param reference of the payment, or the id of the refund; null if none was given
   * @param withdrawn whether its units leave the stock of the current sale
   */
  public record OrderMove(
      Order after, Kind kind, int units, @Nullable String reference, boolean withdrawn) {
    /** What happened. The names are stored; do not rename them. */
    public enum Kind {
      CONFIRM,
      CANCEL,
      REFUND,
      /** A payment came after the end; no unit moves. */
      LATE
    }

    /** The version counts the notes as well. */
    public int step() {
      return (int) after.version() - 1 - after.notes().count();
    }
  }

  /**
   * Something that was recorded of an order and moves no unit: one more row, which is never
   * changed. Its number is the number of notes so far, this one included.
   *
   * @param after the order after this note
   * @param reference of the payment, or the id of the refund; null for an extension
   * @param units that a refund is about; else 0
   */
  public record OrderNote(Order after, Kind kind, @Nullable String reference, int units) {

    /** The kind of note. The names are stored; do not rename them. */
    public enum Kind {
      /** The order, confirmed before, was paid with this payment. */
      PAID,
      /** It was paid once more, with this payment. */
      DOUBLE,
      /** There is more time to pay. */
      EXTENDED,
      /** A refund was requested. */
      ASKED,
      /** A requested refund was rejected, or replaced by one of everything. */
      DROPPED
    }

    public int number() {
      return after.notes().count();
    }

    /** The new deadline of an extension; else 0. */
    public long payBeforeMs() {
      return kind == Kind.EXTENDED ? after.payBeforeMs() : 0;
    }
  }
}
