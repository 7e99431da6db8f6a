package io.sluice.ledger;

import static io.sluice.model.OrderStatus.CANCELED;
import static io.sluice.model.OrderStatus.CONFIRMED;
import static io.sluice.model.OrderStatus.PENDING;
import static io.sluice.model.OrderStatus.REFUNDED;
import static io.sluice.model.OrderStatus.REJECTED;

import io.sluice.ledger.BatchChanges.Change;
import io.sluice.ledger.BatchPicture.Bucket;
import io.sluice.ledger.StockTxn.Action;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Limits;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Replays commands, in their order, on a picture of the ledger: the life of an order and the gate.
 *
 * <p>Pure: what it is given it does not change, and it asks nobody. Each command sees what those
 * before it did, so a RESERVE, its CONFIRM, its REFUND and its twin may share a batch.
 */
final class LedgerBatch {
  private static final long FIRST_VERSION = 1;

  private final BatchPicture picture;
  private final Map<BucketId, Bucket> buckets;
  private final Map<OrderToken, Order> orders;

  // Each order that a command changed, once, in the order of the first change.
  private final Set<OrderToken> touched = new LinkedHashSet<>();
  private final List<StockTxn> rows = new ArrayList<>();
  private final List<OutboxDraft> outbox = new ArrayList<>();
  private final Set<OrderToken> booked = new LinkedHashSet<>();
  private final Set<BucketId> full = new TreeSet<>();
  private int stale;

  private LedgerBatch(BatchPicture picture) {
    this.picture = picture;
    this.buckets = new HashMap<>(picture.buckets());
    this.orders = new HashMap<>(picture.orders());
  }

  /** What these commands make of this picture. */
  static BatchChanges replay(BatchPicture picture, List<Command> commands) {
    LedgerBatch batch = new LedgerBatch(picture);
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
      dead(malformed.raw(), malformed.why());
    } else {
      throw new IllegalArgumentException("Expected a known command, but got " + command);
    }
  }

  // ---- the gate

  private void reserve(Command.Reserve reserve) {
    Grant grant = reserve.grant();
    Bucket bucket = buckets.get(grant.token().bucketId());
    String flaw = flawOf(grant);
    if (bucket == null) {
      dead(reserve, "a bucket of this partition");
    } else if (flaw != null) {
      dead(reserve, flaw);
    } else if (orders.containsKey(grant.token())) {
      booked.add(grant.token());
    } else if (grant.epoch() < bucket.epoch()) {
      stale++;
      event(EventType.STALE_GRANT_DROPPED, Order.reserved(grant));
    } else if (grant.epoch() > bucket.epoch()) {
      // The ledger's epoch is raised before Redis learns of it, so nobody can have granted this.
      dead(reserve, "an epoch of at most " + bucket.epoch());
    } else if (bucket.free() < grant.qty()) {
      // Nothing is released by token: what Redis has of this bucket is wrong, so it is rebuilt.
      full.add(bucket.id());
      booked.add(grant.token());
      record(first(grant, REJECTED, Reason.LEDGER_FULL), EventType.ORDER_REJECTED);
    } else {
      book(grant, bucket);
    }
  }

  private void book(Grant grant, Bucket bucket) {
    booked.add(grant.token());
    Order order = first(grant, PENDING, null);
    buckets.put(bucket.id(), bucket.plus(grant.qty(), 0));
    rows.add(StockTxn.of(order, Action.HOLD));
    record(order, EventType.ORDER_BOOKED);
    if (grant.confirmsOnBooking()) {
      confirm(grant.token());
    }
  }

  /** What this grant should have been, or null where its values can be booked. */
  private static @Nullable String flawOf(Grant grant) {
    if (grant.qty() < 1 || grant.qty() > Limits.QTY_MAX) {
      return "a qty of 1 to " + Limits.QTY_MAX;
    }
    if (!Limits.isUserId(grant.userId())) {
      return "a user id";
    }
    if (grant.seq() < 1 || grant.epoch() < 1) {
      return "a seq and an epoch of at least 1";
    }
    return grant.grantedAtMs() < 0 || grant.payBeforeMs() < 0 ? "times of at least 0" : null;
  }

  // ---- the life of an order

  private void confirm(OrderToken token) {
    Order order = orders.get(token);
    if (order == null) {
      return;
    }
    if (order.status() == PENDING) {
      count(order, -1, +1);
      rows.add(StockTxn.of(order, Action.CONFIRM));
      record(order.changed(CONFIRMED, null, picture.nowMs()), EventType.ORDER_CONFIRMED);
    } else if (paysTooLate(order)) {
      record(order.paidLate(picture.nowMs()), EventType.PAYMENT_LATE);
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
      rows.add(StockTxn.of(order, Action.CANCEL));
      record(order.changed(CANCELED, reason, picture.nowMs()), EventType.ORDER_CANCELED);
      release(order);
    }
  }

  private void refund(OrderToken token) {
    Order order = orders.get(token);
    if (order != null && order.status() == CONFIRMED) {
      count(order, 0, -1);
      rows.add(StockTxn.of(order, Action.REFUND));
      record(order.changed(REFUNDED, null, picture.nowMs()), EventType.ORDER_REFUNDED);
      release(order);
    }
  }

  /** The grant itself is refused, so its values are stored only as far as a row can hold them. */
  private void reject(Grant grant, Reason reason) {
    Bucket bucket = buckets.get(grant.token().bucketId());
    if (bucket == null || orders.containsKey(grant.token())) {
      return;
    }
    if (grant.epoch() < bucket.epoch()) {
      // Since the rebuild the same key may have been granted anew, and that grant is not refused.
      stale++;
      return;
    }
    Order order = first(grant, REJECTED, reason);
    record(order, EventType.ORDER_REJECTED);
    release(order);
  }

  private Order first(Grant grant, OrderStatus status, @Nullable Reason reason) {
    String userId = grant.userId();
    return new Order(
        grant.token(),
        userId.substring(0, Math.min(userId.length(), Limits.USER_ID_MAX)),
        grant.qty(),
        grant.seq(),
        grant.epoch(),
        status,
        reason,
        FIRST_VERSION,
        PaymentTime.payBeforeMs(grant, picture.nowMs()),
        0,
        grant.grantedAtMs(),
        picture.nowMs());
  }

  // ---- what is written

  private void count(Order order, int heldSign, int soldSign) {
    long qty = order.qty();
    buckets.computeIfPresent(
        order.token().bucketId(), (id, bucket) -> bucket.plus(heldSign * qty, soldSign * qty));
  }

  private void record(Order order, EventType type) {
    orders.put(order.token(), order);
    touched.add(order.token());
    event(type, order);
  }

  private void event(EventType type, Order order) {
    outbox.add(OutboxPayload.event(picture.partition(), type, order, picture.nowMs()));
  }

  private void release(Order order) {
    outbox.add(
        OutboxPayload.release(picture.partition(), order.token(), order.epoch(), order.seq()));
  }

  private void dead(Command.Reserve reserve, String expected) {
    dead(OutboxPayload.rawOf(reserve), "Expected " + expected + ", but got another");
  }

  private void dead(String raw, String why) {
    outbox.add(OutboxPayload.dead(picture.partition(), raw, why, picture.nowMs()));
  }

  private BatchChanges changes() {
    List<Order> inserted = new ArrayList<>();
    List<Change<Order>> updated = new ArrayList<>();
    for (OrderToken token : touched) {
      Order before = picture.orders().get(token);
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
        rows,
        changedBuckets(),
        outbox,
        List.copyOf(booked),
        List.copyOf(full),
        stale);
  }

  private List<Change<Bucket>> changedBuckets() {
    List<Change<Bucket>> changed = new ArrayList<>();
    new TreeMap<>(picture.buckets())
        .forEach(
            (id, before) -> {
              Bucket after = buckets.getOrDefault(id, before);
              if (!after.equals(before)) {
                changed.add(new Change<>(before, after));
              }
            });
    return changed;
  }
}
