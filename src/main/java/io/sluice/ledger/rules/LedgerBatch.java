package io.sluice.ledger.rules;

import static io.sluice.model.OrderStatus.PENDING;
import static io.sluice.model.OrderStatus.REJECTED;

import io.sluice.ledger.rules.BatchSnapshot.Bucket;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
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
  private final BatchWork work;
  private final OrderLife life;
  private final Set<OrderToken> booked = new LinkedHashSet<>();
  private final Set<BucketId> full = new TreeSet<>();
  private final Set<BucketId> ahead = new TreeSet<>();
  private final Set<BucketId> clashing = new TreeSet<>();
  private final Claims claims;
  private final OverdueHolds overdue = new OverdueHolds();
  private final List<Grant> stale = new ArrayList<>();

  private LedgerBatch(BatchSnapshot snapshot) {
    this.snapshot = snapshot;
    this.work = new BatchWork(snapshot);
    this.life = new OrderLife(work);
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
      life.confirm(confirm.token(), confirm.paymentRef());
    } else if (command instanceof Command.Extend extend) {
      life.extend(extend.token(), extend.seconds());
    } else if (command instanceof Command.Cancel cancel) {
      life.cancel(cancel.token(), cancel.reason());
    } else if (command instanceof Command.Refund refund) {
      life.refund(refund.token());
    } else if (command instanceof Command.RefundPart part) {
      life.refund(part);
    } else if (command instanceof Command.Reject reject) {
      reject(reject.grant(), reject.reason());
    } else if (command instanceof Command.Malformed malformed) {
      work.dead(DeadCause.MALFORMED, malformed.raw(), malformed.why());
    } else {
      throw new IllegalArgumentException("Expected a known command, but got " + command);
    }
  }

  // ---- the gate

  private void reserve(Command.Reserve reserve) {
    Grant grant = reserve.grant();
    Bucket bucket = work.bucket(grant.token().bucketId());
    String flaw = GrantFlaw.of(grant);
    if (bucket == null) {
      work.dead(DeadCause.UNKNOWN_BUCKET, reserve, "a bucket of the ledger");
    } else if (flaw != null) {
      work.dead(DeadCause.FLAW, reserve, flaw);
    } else if (work.order(grant.token()) != null) {
      booked.add(grant.token());
    } else if (grant.epoch() < bucket.epoch()) {
      stale.add(grant);
      work.event(EventType.STALE_GRANT_DROPPED, Order.reserved(grant));
    } else if (grant.epoch() - bucket.epoch() > GrantFlaw.EPOCHS_LOST_MAX) {
      work.dead(
          DeadCause.EPOCH,
          reserve,
          "an epoch of at most " + (bucket.epoch() + GrantFlaw.EPOCHS_LOST_MAX));
    } else if (claims.clashesWith(grant)) {
      clashing.add(bucket.id());
      work.dead(DeadCause.SEQ, reserve, "a seq that no other order of its epoch has");
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
    work.put(raised);
    return raised;
  }

  private void admit(Grant grant, Bucket bucket) {
    if (makeRoom(grant, bucket)) {
      book(grant);
    } else {
      // Nothing is released by token: the bucket's state in Redis is wrong and will be rebuilt.
      full.add(bucket.id());
      booked.add(grant.token());
      work.record(
          NewOrder.of(grant, REJECTED, Reason.LEDGER_FULL, snapshot.nowMs()),
          EventType.ORDER_REJECTED);
    }
  }

  /**
   * A hold may have been paid or extended in this batch, so only its bucket tells what it freed.
   */
  private boolean makeRoom(Grant grant, Bucket bucket) {
    Bucket now = bucket;
    while (now.free() < grant.qty()) {
      Order ended = overdue.next(now, grant, work.orders());
      if (ended == null) {
        return false;
      }
      life.cancel(ended.token(), Reason.TIMEOUT);
      now = Objects.requireNonNull(work.bucket(bucket.id()));
    }
    return true;
  }

  private void book(Grant grant) {
    booked.add(grant.token());
    Order order = NewOrder.of(grant, PENDING, null, snapshot.nowMs());
    work.count(order, order.qty(), 0);
    work.record(order, EventType.ORDER_BOOKED);
    overdue.booked(order);
    if (grant.confirmsOnBooking()) {
      life.confirm(grant.token(), null);
    }
  }

  // ---- grants that cannot be booked

  private void reject(Grant grant, Reason reason) {
    Bucket bucket = work.bucket(grant.token().bucketId());
    if (bucket == null || work.order(grant.token()) != null) {
      return;
    }
    if (grant.epoch() < bucket.epoch()) {
      // After the rebuild the same key may have been granted again; that grant must not be
      // rejected.
      stale.add(grant);
    } else if (grant.token().isCanonical()) {
      work.record(NewOrder.of(grant, REJECTED, reason, snapshot.nowMs()), EventType.ORDER_REJECTED);
      work.release(new OutboxPayload.Release(grant.token(), grant.epoch(), grant.seq()));
    } else {
      writeOff(grant);
    }
  }

  /** A token that is not canonical is the text of no row, or of another order's. */
  private void writeOff(Grant grant) {
    work.dead(DeadCause.FLAW, new Command.Reserve(grant, null), GrantFlaw.TOKEN);
    if (OrderToken.parse(grant.token().value()).isPresent()) {
      work.release(new OutboxPayload.Release(grant.token(), grant.epoch(), grant.seq()));
    }
  }

  private BatchChanges changes() {
    return new BatchChanges(
        work.inserted(),
        work.updated(),
        work.moves(),
        work.notes(),
        work.counted(),
        work.returned(),
        work.outbox(),
        List.copyOf(booked),
        List.copyOf(full),
        stale,
        List.copyOf(ahead),
        List.copyOf(clashing),
        work.deadByCause());
  }
}
