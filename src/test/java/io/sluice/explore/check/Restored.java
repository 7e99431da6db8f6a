package io.sluice.explore.check;

import io.sluice.explore.run.Sale;
import io.sluice.explore.run.Settlement;
import io.sluice.explore.run.World;
import io.sluice.explore.store.Op;
import io.sluice.ledger.SkuLedger.RestockResult;
import io.sluice.ledger.Step.Result;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.sluice.orderlog.OrderLogCodec;
import io.sluice.owner.Ownership;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore.Frozen;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a ledger that was put back to a backup has lost, and what the checks excuse for it; all of
 * it is here. The log is booked again, so the rule is that every yes that it has is kept. Excused
 * are:
 *
 * <ul>
 *   <li>what was told of orders that are not in the log, since they were booked past it or swept,
 *       and of those whose time-out was lost;
 *   <li>until a partition is booked again, that its orders are not known; until a bucket is
 *       rebuilt, that Redis has more of it than the ledger;
 *   <li>the holes of docs/design-failures.md section 9: see {@link #mayLackRoom}, {@link #madeRoom}
 *       and {@link #isGrantedAnew}.
 * </ul>
 */
public final class Restored {
  /** For so long an instance may answer with what it has learned before. */
  private static final long HEARSAY_US = 5_000_000;

  /** What the ledger assumes of its clock and that of Redis. */
  private static final long CLOCKS_APART_MS = 2_000;

  /** For so long a difference may be on its way that was found before the rebuild. */
  private static final long CORRECTED_US = 10_000_000;

  private final World world;
  private final Map<String, Long> lostRestocks = new HashMap<>();
  private final List<Grant> stale = new ArrayList<>();
  private final List<Ownership> owners = new ArrayList<>();

  private final Map<OrderToken, Order> before = new LinkedHashMap<>();
  private final Set<OrderToken> forgotten = new HashSet<>();
  private final Set<OrderToken> reopened = new HashSet<>();
  private final Map<Integer, Long> ends = new HashMap<>();
  private final Map<Integer, Long> caughtUpUs = new HashMap<>();
  private final Set<Integer> noticed = new HashSet<>();
  private final Set<BucketId> frozen = new HashSet<>();
  private final Set<BucketId> raised = new HashSet<>();
  private final Map<BucketId, Long> openedUs = new HashMap<>();
  private final Set<BucketId> late = new HashSet<>();
  private final Set<OrderToken> rejected = new HashSet<>();
  private final Set<OrderToken> unnoticed = new HashSet<>();
  private final Set<OrderToken> givenOn = new HashSet<>();
  private Runnable backup;
  private long atUs = -1;
  private long noticedUs;

  public Restored(World world) {
    this.world = world;
  }

  /** Whether the ledger has been put back. */
  public boolean isOver() {
    return atUs >= 0;
  }

  public void save() {
    backup = world.ledger().backup();
    lostRestocks.clear();
  }

  /** Puts the ledger back to the state of the last {@link #save}. */
  public void restore() {
    atUs = world.scheduler().nowUs();
    Settlement.orders(world).forEach(order -> before.put(order.token(), order));
    backup.run();
    Set<OrderToken> logged = new HashSet<>();
    for (int partition = 0; partition < world.scenario().partitions(); partition++) {
      ends.put(partition, world.log().endOffset(partition).result());
      logged.addAll(toBeBooked(partition));
    }
    Map<OrderToken, Order> now = new HashMap<>();
    Settlement.orders(world).forEach(order -> now.put(order.token(), order));
    before.forEach(
        (token, order) -> {
          if (!now.containsKey(token) && !logged.contains(token)) {
            forgotten.add(token);
          }
          Order was = now.get(token);
          if (isTimedOut(order) && (was == null || !isTimedOut(was))) {
            reopened.add(token);
          }
        });
    watch();
  }

  private static boolean isTimedOut(Order order) {
    return order.status() == OrderStatus.CANCELED && order.reason() == Reason.TIMEOUT;
  }

  /** The grants that the log has for the restored ledger, each before all commands about it. */
  private Set<OrderToken> toBeBooked(int partition) {
    var fence = world.ledger().fences().result().get(partition);
    long from = fence == null ? 0 : fence.nextOffset();
    Set<OrderToken> tokens = new HashSet<>();
    Set<OrderToken> early = new HashSet<>();
    for (byte[] record : world.log().records(partition).stream().skip(from).toList()) {
      for (Command command : OrderLogCodec.decode(record).commands()) {
        if (command instanceof Command.Reserve reserve) {
          tokens.addAll(reserve.grant().tokens());
        } else if (command.token() != null && !tokens.contains(command.token())) {
          early.add(command.token());
        }
      }
    }
    tokens.removeAll(early);
    return tokens;
  }

  /** Somebody owns a partition. */
  public void owned(Ownership ownership) {
    if (world.scenario().restored()) {
      owners.add(ownership);
    }
  }

  /** Called after each call that may have changed something, with its answer. */
  public void happened(Op op, Object[] arguments, Object answer) {
    if (!world.scenario().restored()) {
      return;
    }
    if (answer instanceof List<?> results && !isOver()) {
      results.forEach(result -> applied(result));
    } else if (answer instanceof RestockResult.Done && !isOver() && (long) arguments[2] > 0) {
      lostRestocks.putIfAbsent((String) arguments[1], backup == null ? 0 : (long) arguments[2]);
    } else if (isOver()) {
      happenedSince(op, arguments, answer);
    }
  }

  private void applied(Object result) {
    if (result instanceof Result.Applied applied) {
      stale.addAll(applied.stale());
    }
  }

  private void happenedSince(Op op, Object[] arguments, Object answer) {
    if (answer instanceof Frozen done && done.code() == BucketCode.OK) {
      frozen.add((BucketId) arguments[0]);
    } else if (op.label().equals("ledger.raiseEpoch")) {
      raised.add((BucketId) arguments[1]);
    } else if (op.label().equals("stock.open") && answer == BucketCode.OK) {
      opened((BucketId) arguments[0]);
    }
    watch();
  }

  private void opened(BucketId bucket) {
    int partition = partition(bucket);
    if (!raised.contains(bucket) || !noticed.contains(partition)) {
      // It was being loaded when the ledger was put back, or its owner does not know of that.
      return;
    }
    openedUs.putIfAbsent(bucket, world.scheduler().nowUs());
    Sale.buckets(world.scenario()).stream()
        .filter(other -> partition(other) != partition && !frozen.contains(other))
        .forEach(late::add);
  }

  private int partition(BucketId bucket) {
    return world.ledger().bucket(bucket).result().orElseThrow().partition();
  }

  private void watch() {
    for (Ownership owner : owners) {
      if (owner.wentBack() && noticed.add(owner.partition())) {
        noticedUs = world.scheduler().nowUs();
        world.say(() -> "*** partition " + owner.partition() + " notices the restore");
      }
    }
    var fences = world.ledger().fences().result();
    ends.forEach(
        (partition, end) -> {
          var fence = fences.get(partition);
          if (fence != null && fence.nextOffset() >= end) {
            caughtUpUs.putIfAbsent(partition, world.scheduler().nowUs());
          }
        });
    List<Order> now = Settlement.orders(world);
    now.stream()
        .filter(order -> order.status() == OrderStatus.REJECTED && rejected.add(order.token()))
        .forEach(order -> rejected(order, now));
  }

  private void rejected(Order order, List<Order> now) {
    world.sights().saw("rejected by a restored ledger");
    int partition = partition(order.token().bucketId());
    if (!noticed.contains(partition)) {
      unnoticed.add(order.token());
    }
    long notEnded =
        now.stream()
            .filter(other -> partition(other.token().bucketId()) != partition)
            .mapToLong(this::unitsNotEnded)
            .sum();
    if (hasEnded(order) || notEnded >= order.qty()) {
      givenOn.add(order.token());
    }
  }

  /** Whether it had ended in the lost past, so that its units may have been given to others. */
  private boolean hasEnded(Order order) {
    Order was = before.get(order.token());
    return was != null && was.unitsLeft() < order.qty();
  }

  /** The units of an order that had come back in the lost past, and have not yet again. */
  private long unitsNotEnded(Order order) {
    Order was = before.get(order.token());
    return was == null ? 0 : Math.max(0, order.unitsLeft() - was.unitsLeft());
  }

  // ---- what is excused while it is booked again

  /** Whether Redis may still have of this bucket what the ledger has lost. */
  boolean isUntrusted(BucketId bucket) {
    return isOver() && !openedUs.containsKey(bucket);
  }

  /** Whether a difference may have been found because of it. */
  boolean mayDiffer(BucketId bucket) {
    return isOver()
        && openedUs.getOrDefault(bucket, Long.MAX_VALUE) > world.scheduler().nowUs() - CORRECTED_US;
  }

  /** Whether owners may yet find it out, or have not yet mended what they have found. */
  public boolean isBeingMended() {
    long sinceUs = Math.max(noticedUs, world.scenario().quietAtMs() * 1_000);
    return isOver() && world.scheduler().nowUs() < sinceUs + CORRECTED_US;
  }

  boolean anyUntrusted() {
    return isOver() && openedUs.size() < Sale.buckets(world.scenario()).size();
  }

  /** Whether an order of this bucket may have been unknown when this was asked. */
  boolean mayForget(OrderToken token, long askedUs) {
    return isOver()
        && (forgotten.contains(token)
            || askedUs <= caughtUpUs.getOrDefault(partition(token.bucketId()), Long.MAX_VALUE));
  }

  /** Whether the ledger has lost this order, which is not in the log. */
  public boolean hasForgotten(OrderToken token) {
    return forgotten.contains(token);
  }

  // ---- what is excused for good

  /** Whether what was told of this order need not be what the ledger has. */
  boolean excuses(OrderToken token, long toldUs) {
    boolean isHearsay = toldUs <= hearsayUntilUs(token);
    return isOver()
        && ((isHearsay && (forgotten.contains(token) || reopened.contains(token)))
            || isGrantedAnew(token)
            || mayLackRoom(token, toldUs)
            || (toldUs <= atUs && madeRoom(token)));
  }

  private long hearsayUntilUs(OrderToken token) {
    long untilUs = caughtUpUs.getOrDefault(partition(token.bucketId()), Long.MAX_VALUE);
    return untilUs == Long.MAX_VALUE ? untilUs : untilUs + HEARSAY_US;
  }

  /**
   * Whether a hold was ended for a later grant, although its payment was to follow in the log: it
   * had ended by then, by a clock that is so much ahead.
   */
  private boolean madeRoom(OrderToken token) {
    Order was = before.get(token);
    Order now = world.ledger().orders(List.of(token)).result().get(token);
    return was != null
        && (was.status() == OrderStatus.CONFIRMED || was.status() == OrderStatus.REFUNDED)
        && now != null
        && isTimedOut(now)
        && Settlement.orders(world).stream()
            .anyMatch(
                other ->
                    other.status() != OrderStatus.REJECTED
                        && other.createdAtMs() > now.createdAtMs()
                        && other.createdAtMs() > now.payBeforeMs() - CLOCKS_APART_MS);
  }

  /**
   * How much earlier than promised a hold may end: where there is no room for a grant, those that
   * have ended by a clock that is so much ahead.
   */
  long earlyMs() {
    return isOver() ? CLOCKS_APART_MS : 0;
  }

  /** Whether the limits of its buyer need not count it. */
  boolean mayExceed(Order order) {
    return isOver() && (reopened.contains(order.token()) || isGrantedAnew(order.token()));
  }

  /**
   * A grant that was dropped as stale is booked by the restored ledger, which has lost the epoch
   * that was raised since; the one that its buyer got instead is taken for a copy.
   */
  private boolean isGrantedAnew(OrderToken token) {
    return stale.stream().anyMatch(grant -> grant.token().equals(token) && isBooked(grant));
  }

  private boolean isBooked(Grant grant) {
    Order order = world.ledger().orders(List.of(grant.token())).result().get(grant.token());
    return order != null
        && order.epoch() == grant.epoch()
        && order.seq() == grant.seq()
        && order.status() != OrderStatus.REJECTED;
  }

  /**
   * Whether this order may have been rejected for lack of room: where its partition had not noticed
   * the restore; where its bucket was frozen so late that another partition had opened its buckets,
   * and the yes was told after the restore; where units had come back from an order in one
   * partition and were granted in another, and the ledger has met the grant before the end of that
   * order; or where so many units are lacking that were restocked since the backup, or that stale
   * grants have taken, or orders that were paid or extended too late.
   */
  private boolean mayLackRoom(OrderToken token, long toldUs) {
    if (!rejected.contains(token)) {
      return false;
    }
    return unnoticed.contains(token)
        || givenOn.contains(token)
        || (late.contains(token.bucketId()) && toldUs >= atUs)
        || unitsRejected() <= unitsWithoutRoom();
  }

  private long unitsRejected() {
    return rejected.stream()
        .filter(token -> !unnoticed.contains(token) && !givenOn.contains(token))
        .filter(token -> !late.contains(token.bucketId()))
        .filter(token -> world.told().hasYes(token))
        .mapToLong(token -> world.ledger().orders(List.of(token)).result().get(token).qty())
        .sum();
  }

  private long unitsWithoutRoom() {
    return lostRestocks.values().stream().mapToLong(units -> units).sum()
        + stale.stream().filter(this::isBooked).mapToLong(Grant::qty).sum()
        + unitsHeldAnew();
  }

  /**
   * Units that had come back, since a payment or an extension was too late or too short, and are
   * held by that once more.
   */
  private long unitsHeldAnew() {
    return Settlement.orders(world).stream()
        .filter(order -> reopened.contains(order.token()) && order.status() != OrderStatus.REJECTED)
        .mapToLong(order -> order.notes().extended() ? order.qty() : order.unitsLeft())
        .sum();
  }
}
