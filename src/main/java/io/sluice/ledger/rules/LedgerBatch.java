package io.sluice.ledger.rules;

import static io.sluice.model.OrderStatus.CANCELED;
import static io.sluice.model.OrderStatus.CONFIRMED;
import static io.sluice.model.OrderStatus.PENDING;
import static io.sluice.model.OrderStatus.REFUNDED;
import static io.sluice.model.OrderStatus.REJECTED;

import io.sluice.ledger.rules.BatchChanges.Change;
import io.sluice.ledger.rules.BatchSnapshot.Bucket;
import io.sluice.ledger.rules.OrderMove.Kind;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * Replays commands, in order, on a {@link BatchSnapshot}: the life cycle of orders, and the gate.
 *
 * <p>Pure: does not change its arguments and does no I/O. Each command sees the effects of those
 * before it, so a RESERVE, its duplicate, its CONFIRM and its REFUND may be in one batch.
 */
public final class LedgerBatch {
  private final BatchSnapshot snapshot;
  private final Map<BucketId, Bucket> buckets;
  private final Map<OrderToken, Order> orders;

  // The orders that commands changed, in the order of their first change.
  private final Set<OrderToken> touched = new LinkedHashSet<>();
  private final List<OrderMove> moves = new ArrayList<>();
  private final List<OutboxDraft> outbox = new ArrayList<>();
  private final Set<OrderToken> booked = new LinkedHashSet<>();
  private final Set<BucketId> full = new TreeSet<>();
  private final Set<BucketId> ahead = new TreeSet<>();
  private final Set<BucketId> clashing = new TreeSet<>();
  private final Claims claims;
  private final OverdueHolds overdue = new OverdueHolds();
  private final Map<DeadCause, Integer> dead = new EnumMap<>(DeadCause.class);
  private final List<Grant> stale = new ArrayList<>();

  private LedgerBatch(BatchSnapshot snapshot) {
    this.snapshot = snapshot;
    this.buckets = new HashMap<>(snapshot.buckets());
    this.orders = new HashMap<>(snapshot.orders());
    this.claims = snapshot.claims().copy();
  }

  public static BatchChanges replay(BatchSnapshot snapshot, List<Command> commands) {
    LedgerBatch batch = new LedgerBatch(snapshot);
    commands.forEach(batch::apply);
    return batch.changes();
  }

  private void apply(Command command) {
    if (command instanceof Command.Reserve reserve) {
      reserve(reserve);
    } else if (command instanceof Command.Confirm confirm) {
      confirm(confirm.token());
    } else if (command instanceof Command.Cancel cancel) {
      cancel(cancel.token(), cancel.reason());
    } else if (command instanceof Command.Refund refund) {
      refund(refund.token());
    } else if (command instanceof Command.Reject reject) {
      reject(reject.grant(), reject.reason());
    } else if (command instanceof Command.Malformed malformed) {
      dead(DeadCause.MALFORMED, malformed.raw(), malformed.why());
    } else {
      throw new IllegalArgumentException("Expected a known command, but got " + command);
    }
  }

  // ---- the gate

  private void reserve(Command.Reserve reserve) {
    Grant grant = reserve.grant();
    Bucket bucket = buckets.get(grant.token().bucketId());
    String flaw = GrantFlaw.of(grant);
    if (bucket == null) {
      dead(DeadCause.UNKNOWN_BUCKET, reserve, "a bucket of the ledger");
    } else if (flaw != null) {
      dead(DeadCause.FLAW, reserve, flaw);
    } else if (orders.containsKey(grant.token())) {
      booked.add(grant.token());
    } else if (grant.epoch() < bucket.epoch()) {
      stale.add(grant);
      event(EventType.STALE_GRANT_DROPPED, Order.reserved(grant));
    } else if (grant.epoch() - bucket.epoch() > GrantFlaw.EPOCHS_LOST_MAX) {
      dead(
          DeadCause.EPOCH,
          reserve,
          "an epoch of at most " + (bucket.epoch() + GrantFlaw.EPOCHS_LOST_MAX));
    } else if (claims.clashesWith(grant)) {
      clashing.add(bucket.id());
      dead(DeadCause.SEQ, reserve, "a seq that no other order of its epoch has");
    } else {
      admit(grant, inEpochOf(grant, bucket));
    }
  }

  /**
   * The ledger raises an epoch before Redis has it. So a grant of a higher epoch was made before
   * the ledger was restored to an earlier state, and may have been acknowledged to its buyer: it
   * must be booked.
   */
  private Bucket inEpochOf(Grant grant, Bucket bucket) {
    if (grant.epoch() == bucket.epoch()) {
      return bucket;
    }
    ahead.add(bucket.id());
    Bucket raised = bucket.inEpoch(grant.epoch());
    buckets.put(bucket.id(), raised);
    return raised;
  }

  private void admit(Grant grant, Bucket bucket) {
    if (makeRoom(grant, bucket)) {
      book(grant);
    } else {
      // Nothing is released by token: the bucket's state in Redis is wrong and will be rebuilt.
      full.add(bucket.id());
      booked.add(grant.token());
      record(
          NewOrder.of(grant, REJECTED, Reason.LEDGER_FULL, snapshot.nowMs()),
          EventType.ORDER_REJECTED);
    }
  }

  private boolean makeRoom(Grant grant, Bucket bucket) {
    long missing = grant.qty() - bucket.free();
    while (missing > 0) {
      Order ended = overdue.next(bucket, grant, orders.values());
      if (ended == null) {
        return false;
      }
      cancel(ended.token(), Reason.TIMEOUT);
      missing -= ended.qty();
    }
    return true;
  }

  private void book(Grant grant) {
    booked.add(grant.token());
    Order order = NewOrder.of(grant, PENDING, null, snapshot.nowMs());
    count(order, +1, 0);
    record(order, EventType.ORDER_BOOKED);
    overdue.booked(order);
    if (grant.confirmsOnBooking()) {
      confirm(grant.token());
    }
  }

  // ---- the life cycle of an order

  private void confirm(OrderToken token) {
    Order order = orders.get(token);
    if (order == null) {
      return;
    }
    if (order.status() == PENDING) {
      count(order, -1, +1);
      move(
          order.changed(CONFIRMED, null, snapshot.nowMs()),
          Kind.CONFIRM,
          EventType.ORDER_CONFIRMED);
    } else if (paysTooLate(order)) {
      move(order.paidLate(snapshot.nowMs()), Kind.LATE, EventType.PAYMENT_LATE);
    }
  }

  private static boolean paysTooLate(Order order) {
    boolean endedUnpaid = order.status() == CANCELED || order.status() == REJECTED;
    return endedUnpaid && order.latePaidAtMs() == 0;
  }

  private void cancel(OrderToken token, Reason reason) {
    Order order = orders.get(token);
    if (order != null && order.status() == PENDING) {
      count(order, -1, 0);
      move(
          order.changed(CANCELED, reason, snapshot.nowMs()), Kind.CANCEL, EventType.ORDER_CANCELED);
      release(token, order.epoch(), order.seq());
    }
  }

  private void refund(OrderToken token) {
    Order order = orders.get(token);
    if (order != null && order.status() == CONFIRMED) {
      count(order, 0, -1);
      move(order.changed(REFUNDED, null, snapshot.nowMs()), Kind.REFUND, EventType.ORDER_REFUNDED);
      release(token, order.epoch(), order.seq());
    }
  }

  private void reject(Grant grant, Reason reason) {
    Bucket bucket = buckets.get(grant.token().bucketId());
    if (bucket == null || orders.containsKey(grant.token())) {
      return;
    }
    if (grant.epoch() < bucket.epoch()) {
      // After the rebuild the same key may have been granted again; that grant must not be
      // rejected.
      stale.add(grant);
    } else if (grant.token().isCanonical()) {
      record(NewOrder.of(grant, REJECTED, reason, snapshot.nowMs()), EventType.ORDER_REJECTED);
      release(grant.token(), grant.epoch(), grant.seq());
    } else {
      writeOff(grant);
    }
  }

  /** A token that is not canonical is the text of no row, or of another order's. */
  private void writeOff(Grant grant) {
    dead(DeadCause.FLAW, new Command.Reserve(grant, null), GrantFlaw.TOKEN);
    if (OrderToken.parse(grant.token().value()).isPresent()) {
      release(grant.token(), grant.epoch(), grant.seq());
    }
  }

  // ---- changes

  private void count(Order order, int heldSign, int soldSign) {
    long qty = order.qty();
    buckets.computeIfPresent(
        order.token().bucketId(), (id, bucket) -> bucket.plus(heldSign * qty, soldSign * qty));
  }

  private void move(Order after, Kind kind, EventType type) {
    moves.add(new OrderMove(after, kind));
    record(after, type);
  }

  private void record(Order order, EventType type) {
    orders.put(order.token(), order);
    touched.add(order.token());
    event(type, order);
  }

  private void event(EventType type, Order order) {
    outbox.add(OutboxPayload.event(snapshot.partition(), type, order, snapshot.nowMs()));
  }

  private void release(OrderToken token, long epoch, long seq) {
    outbox.add(OutboxPayload.release(snapshot.partition(), token, epoch, seq));
  }

  private void dead(DeadCause cause, Command.Reserve reserve, String expected) {
    dead(cause, OutboxPayload.rawOf(reserve), "Expected " + expected + ", but got another");
  }

  private void dead(DeadCause cause, String raw, String why) {
    dead.merge(cause, 1, Integer::sum);
    outbox.add(OutboxPayload.dead(snapshot.partition(), raw, why, snapshot.nowMs()));
  }

  private BatchChanges changes() {
    List<Order> inserted = new ArrayList<>();
    List<Change<Order>> updated = new ArrayList<>();
    for (OrderToken token : touched) {
      Order before = snapshot.orders().get(token);
      Order after = Objects.requireNonNull(orders.get(token));
      if (before == null) {
        inserted.add(after);
      } else {
        updated.add(new Change<>(before, after));
      }
    }
    return new BatchChanges(
        inserted,
        updated,
        moves,
        BatchChanges.between(snapshot.buckets(), buckets),
        outbox,
        List.copyOf(booked),
        List.copyOf(full),
        stale,
        List.copyOf(ahead),
        List.copyOf(clashing),
        Map.copyOf(dead));
  }
}
