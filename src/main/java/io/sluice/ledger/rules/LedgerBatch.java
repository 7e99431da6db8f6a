package io.sluice.ledger.rules;

import static io.sluice.model.OrderStatus.PENDING;
import static io.sluice.model.OrderStatus.REJECTED;

import io.sluice.ledger.rules.BatchChanges.DeadCause;
import io.sluice.ledger.rules.BatchSnapshot.Bucket;
import io.sluice.ledger.rules.BatchSnapshot.Claims;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Limits;
import io.sluice.model.Order;
import io.sluice.model.Order.Life;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Replays commands, in order, on a {@link BatchSnapshot}: the life cycle of orders, and the gate.
 *
 * <p>Pure: does not change its arguments and does no I/O. Each command sees the effects of those
 * before it, so a RESERVE, its duplicate, its CONFIRM and its REFUND may be in one batch.
 */
public final class LedgerBatch {

  /** Where commands come from. Only the log tells what was decided before them. */
  public enum Source {
    LOG,
    /**
     * The owner, or any instance for direct SKUs. Grants that an owner books from Redis may be
     * ahead of its place in the log.
     */
    OWNER,
    /**
     * An instance that does not own the partition. It rejects nothing: in a ledger that was
     * restored, the log may have more room for the grant than is known yet.
     */
    PAST_LOG
  }

  private final BatchSnapshot snapshot;
  private final List<Command> commands;
  private final Source source;
  private final BatchWork work;
  private final OrderLife life;
  private final Set<OrderToken> booked = new LinkedHashSet<>();
  private final Set<BucketId> full = new TreeSet<>();
  private final Set<BucketId> ahead = new TreeSet<>();
  private final Set<BucketId> clashing = new TreeSet<>();
  private final Claims claims;
  private final OverdueHolds overdue = new OverdueHolds();
  private final List<Grant> stale = new ArrayList<>();

  /** How many of the commands were begun. */
  private int begun;

  private LedgerBatch(BatchSnapshot snapshot, List<Command> commands, Source source) {
    this.snapshot = snapshot;
    this.commands = commands;
    this.source = source;
    this.work = new BatchWork(snapshot);
    this.life = new OrderLife(work);
    this.claims = snapshot.claims().copy();
  }

  public static BatchChanges replay(BatchSnapshot snapshot, List<Command> commands, Source source) {
    LedgerBatch batch = new LedgerBatch(snapshot, commands, source);
    for (Command command : commands) {
      batch.begun++;
      batch.apply(command);
    }
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
      life.refund(refund);
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
    Grant lead = reserve.grant();
    List<Grant> lines = lead.lines();
    String flaw = flawOf(lines);
    if (!areInTheLedger(lines)) {
      work.dead(DeadCause.UNKNOWN_BUCKET, reserve, "a bucket of the ledger");
    } else if (flaw != null) {
      work.dead(DeadCause.FLAW, reserve, flaw);
    } else if (work.order(lead.token()) != null) {
      lead.tokens().stream().filter(token -> work.order(token) != null).forEach(booked::add);
    } else if (lines.stream().anyMatch(line -> aheadBy(line) < 0)) {
      stale.add(lead);
      work.event(EventType.STALE_GRANT_DROPPED, Order.reserved(lead));
    } else if (lines.stream().anyMatch(this::isTooFarAhead)) {
      work.dead(
          DeadCause.EPOCH,
          reserve,
          "an epoch of at most " + (bucketOf(lead).epoch() + GrantFlaw.EPOCHS_LOST_MAX));
    } else if (clashes(lines)) {
      work.dead(DeadCause.SEQ, reserve, "a seq that no other order of its epoch has");
    } else {
      lines.forEach(this::raiseEpoch);
      admit(lines);
    }
  }

  private static @Nullable String flawOf(List<Grant> lines) {
    for (Grant line : lines) {
      String flaw = GrantFlaw.of(line);
      if (flaw != null) {
        return flaw;
      }
    }
    return null;
  }

  private boolean areInTheLedger(List<Grant> lines) {
    return lines.stream().allMatch(line -> work.bucket(line.token().bucketId()) != null);
  }

  private Bucket bucketOf(Grant line) {
    return Objects.requireNonNull(work.bucket(line.token().bucketId()));
  }

  private long aheadBy(Grant line) {
    return line.epoch() - bucketOf(line).epoch();
  }

  private boolean isTooFarAhead(Grant line) {
    return aheadBy(line) > GrantFlaw.EPOCHS_LOST_MAX;
  }

  private boolean clashes(List<Grant> lines) {
    boolean found = false;
    for (Grant line : lines) {
      if (claims.clashesWith(line)) {
        clashing.add(line.token().bucketId());
        found = true;
      }
    }
    return found;
  }

  /**
   * The ledger raises an epoch before Redis has it. So a grant of a higher epoch was made before
   * the ledger was restored to an earlier state, and may have been acknowledged to its buyer: it
   * must be booked. Only the log raises the bucket's epoch: past it there may be grants of a lower
   * one that are not read yet, which must be booked as well.
   */
  private void raiseEpoch(Grant line) {
    Bucket bucket = bucketOf(line);
    if (line.epoch() != bucket.epoch()) {
      ahead.add(bucket.id());
      if (source == Source.LOG) {
        work.put(bucket.inEpoch(line.epoch()));
      }
    }
  }

  private void admit(List<Grant> lines) {
    List<Grant> crowded = lines.stream().filter(line -> !makeRoom(line)).toList();
    if (crowded.isEmpty()) {
      book(lines);
    } else {
      // Nothing is released by token: the bucket's state in Redis is wrong and will be rebuilt.
      crowded.forEach(line -> full.add(line.token().bucketId()));
      if (source != Source.PAST_LOG) {
        lines.forEach(line -> booked.add(line.token()));
        reject(lines, Reason.LEDGER_FULL);
      }
    }
  }

  private void reject(List<Grant> lines, Reason reason) {
    for (Grant line : lines) {
      work.put(newOrder(line, REJECTED, reason, snapshot.nowMs()));
    }
    work.tell(EventType.ORDER_REJECTED, lines.get(0).token());
  }

  private boolean makeRoom(Grant grant) {
    BucketId id = grant.token().bucketId();
    return endOverdue(grant, Set.of(id), () -> bucketOf(grant).free())
        || (snapshot.whole().contains(id.skuId()) && gather(grant));
  }

  /**
   * Ends overdue holds of these buckets until so many units are free as the grant needs. A hold may
   * have been paid or extended in this batch, so only the buckets tell what it freed. Past the log
   * nothing is ended: a payment may wait in it.
   */
  private boolean endOverdue(Grant grant, Set<BucketId> buckets, LongSupplier free) {
    while (free.getAsLong() < grant.qty()) {
      Order ended = source == Source.PAST_LOG ? null : overdue.next(buckets, grant, work.orders());
      if (ended == null) {
        return false;
      }
      life.cancel(ended.token(), Reason.TIMEOUT);
    }
    return true;
  }

  /**
   * Brings units of other buckets to that of a grant. Moves of units are not in the log. So a
   * ledger that was restored to an earlier state may have units in one bucket that were moved to
   * another and granted there. The SKU as a whole has them.
   */
  private boolean gather(Grant grant) {
    BucketId target = grant.token().bucketId();
    long skuId = target.skuId();
    if (!endOverdue(
        grant,
        snapshot.siblingsHere(target),
        () -> work.bucketsOf(skuId).values().stream().mapToLong(Bucket::free).sum())) {
      return false;
    }
    List<Bucket> all = List.copyOf(work.bucketsOf(skuId).values());
    Map<BucketId, Long> needs = needs(skuId);
    int at = all.indexOf(bucketOf(grant));
    Gathering.room(
            all.stream().mapToLong(Bucket::free).toArray(),
            all.stream().mapToLong(bucket -> needs.getOrDefault(bucket.id(), 0L)).toArray(),
            at,
            grant.qty())
        .forEach((from, units) -> gather(all.get(from).id(), target, -units));
    ahead.add(target);
    return true;
  }

  private void gather(BucketId from, BucketId target, long units) {
    if (!from.equals(target)) {
      work.gather(from, target, units);
    }
  }

  /** The units that grants from the current one on will take of the buckets of a SKU, by bucket. */
  private Map<BucketId, Long> needs(long skuId) {
    Map<BucketId, Long> needs = new HashMap<>();
    Set<OrderToken> counted = new HashSet<>();
    for (Command command : commands.subList(begun - 1, commands.size())) {
      if (command instanceof Command.Reserve reserve) {
        for (Grant line : reserve.grant().lines()) {
          OrderToken token = line.token();
          if (token.skuId() == skuId
              && GrantFlaw.of(line) == null
              && work.order(token) == null
              && counted.add(token)) {
            needs.merge(token.bucketId(), (long) line.qty(), Long::sum);
          }
        }
      }
    }
    return needs;
  }

  private void book(List<Grant> lines) {
    for (Grant line : lines) {
      booked.add(line.token());
      Order order = newOrder(line, PENDING, null, snapshot.nowMs());
      work.count(order, order.qty(), 0);
      work.put(order);
      overdue.booked(order);
    }
    Grant lead = lines.get(0);
    work.tell(EventType.ORDER_BOOKED, lead.token());
    if (lead.confirmsOnBooking()) {
      life.confirm(lead.token(), null);
    }
  }

  // ---- grants that cannot be booked

  private void reject(Grant lead, Reason reason) {
    List<Grant> lines = lead.lines();
    if (!areInTheLedger(lines) || work.order(lead.token()) != null) {
      return;
    }
    if (lines.stream().anyMatch(line -> aheadBy(line) < 0)) {
      // After the rebuild the same key may have been granted again; that grant must not be
      // rejected.
      stale.add(lead);
    } else if (lead.token().isCanonical()) {
      reject(lines, reason);
      lines.forEach(this::release);
    } else {
      writeOff(lead);
    }
  }

  private void release(Grant line) {
    work.release(new OutboxPayload.Release(line.token(), line.epoch(), line.seq()));
  }

  /** A token that is not canonical is the text of no row, or of another order's. */
  private void writeOff(Grant lead) {
    work.dead(DeadCause.FLAW, new Command.Reserve(lead, null), GrantFlaw.TOKEN);
    if (OrderToken.parse(lead.token().value()).isPresent()) {
      lead.lines().forEach(this::release);
    }
  }

  private BatchChanges changes() {
    return new BatchChanges(
        work.inserted(),
        work.updated(),
        work.moves(),
        work.notes(),
        work.counted(),
        work.gathered(),
        work.returned(),
        work.outbox(),
        List.copyOf(booked),
        List.copyOf(full),
        stale,
        List.copyOf(ahead),
        List.copyOf(clashing),
        work.deadByCause());
  }

  /**
   * An order when it enters the ledger. The values of a rejected grant may be invalid; they are
   * stored as far as the columns allow. It has no reference in the ledger.
   */
  static Order newOrder(Grant grant, OrderStatus status, @Nullable Reason reason, long nowMs) {
    Grant kept = grant.payBefore(PaymentTime.payBeforeMs(grant, nowMs));
    return new Order(
        status == OrderStatus.REJECTED ? cut(kept) : kept,
        Life.first(status, reason, nowMs),
        false);
  }

  private static Grant cut(Grant rejected) {
    String userId = rejected.userId();
    return new Grant(
        rejected.token(),
        userId.substring(0, Math.min(userId.length(), Limits.USER_ID_MAX)),
        rejected.units(),
        null,
        rejected.cart());
  }
}
