package io.sluice.ledger.rules;

import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The rows that a batch may change, read under their locks.
 *
 * @param nowMs the database's clock, read after locking
 * @param buckets the batch's buckets that exist and belong to this partition
 * @param orders the batch's orders that exist, and overdue holds that may have to be ended to make
 *     room
 * @param claims of the holds, where the database has refused the batch because of them
 */
public record BatchSnapshot(
    int partition,
    long nowMs,
    Map<BucketId, Bucket> buckets,
    Map<OrderToken, Order> orders,
    Claims claims) {

  public BatchSnapshot(
      int partition, long nowMs, Map<BucketId, Bucket> buckets, Map<OrderToken, Order> orders) {
    this(partition, nowMs, buckets, orders, Claims.UNKNOWN);
  }

  /**
   * The counters of a bucket.
   *
   * @param base units of {@code allotted} that orders of earlier sales hold or have bought
   * @param sinceEpoch orders of earlier sales have this epoch at most; 0 in the SKU's first sale
   */
  public record Bucket(
      BucketId id, long allotted, long held, long sold, long epoch, long base, long sinceEpoch) {
    /** A bucket of a SKU that was in no sale before this one. */
    public Bucket(BucketId id, long allotted, long held, long sold, long epoch) {
      this(id, allotted, held, sold, epoch, 0, 0);
    }

    long free() {
      return allotted - held - sold;
    }

    Bucket plus(long heldUnits, long soldUnits) {
      return new Bucket(id, allotted, held + heldUnits, sold + soldUnits, epoch, base, sinceEpoch);
    }

    Bucket inEpoch(long raised) {
      return new Bucket(id, allotted, held, sold, raised, base, sinceEpoch);
    }

    /** Units of an earlier sale leave the stock. */
    Bucket without(long units) {
      return new Bucket(id, allotted - units, held, sold, epoch, base - units, sinceEpoch);
    }
  }

  /** A copy with further orders. */
  public BatchSnapshot with(Collection<Order> further) {
    Map<OrderToken, Order> all = new HashMap<>(orders);
    further.forEach(order -> all.put(order.token(), order));
    return new BatchSnapshot(partition, nowMs, buckets, all, claims);
  }

  /** Converts grants of one bucket to commands. */
  public static List<Command> reservesOf(List<Grant> grants) {
    if (grants.stream().map(grant -> grant.token().bucketId()).distinct().count() != 1) {
      throw new IllegalArgumentException("Expected grants of one bucket, but got " + grants);
    }
    return grants.stream().<Command>map(grant -> new Command.Reserve(grant, null)).toList();
  }

  /** The buckets that these commands may change, in the order in which they are locked. */
  public static Set<BucketId> bucketsOf(List<Command> commands) {
    Set<BucketId> buckets = new TreeSet<>();
    for (Command command : commands) {
      OrderToken token = command.token();
      if (token != null) {
        buckets.add(token.bucketId());
      }
    }
    return buckets;
  }

  /** The orders that these commands may change, in the buckets of this partition. */
  public static Set<OrderToken> tokensOf(List<Command> commands, Set<BucketId> ours) {
    return commands.stream()
        .map(Command::token)
        .filter(token -> token != null && ours.contains(token.bucketId()))
        .collect(Collectors.toSet());
  }

  /**
   * Like {@link #tokensOf}, but without grants of the bucket's current epoch. Such an order only
   * exists if it was booked past the log, and then its insert fails on the unique key.
   */
  public static Set<OrderToken> notFresh(List<Command> commands, Map<BucketId, Bucket> ours) {
    return tokensOf(
        commands.stream().filter(command -> !isFresh(command, ours)).toList(), ours.keySet());
  }

  private static boolean isFresh(Command command, Map<BucketId, Bucket> ours) {
    if (!(command instanceof Command.Reserve reserve)) {
      return false;
    }
    Bucket bucket = ours.get(reserve.grant().token().bucketId());
    return bucket != null && bucket.epoch() == reserve.grant().epoch();
  }

  /** The places in their buckets that the RESERVE commands claim. */
  public static Set<Claims.Place> claimed(List<Command> commands, Set<BucketId> ours) {
    return commands.stream()
        .filter(Command.Reserve.class::isInstance)
        .map(command -> ((Command.Reserve) command).grant())
        .filter(grant -> ours.contains(grant.token().bucketId()))
        .map(Claims.Place::of)
        .collect(Collectors.toSet());
  }

  /** The SKUs of which refunds may give units back. */
  public static Set<Long> refunded(List<Command> commands) {
    Set<Long> skuIds = new TreeSet<>();
    for (Command command : commands) {
      boolean completes =
          command instanceof Command.RefundPart part
              && part.step() == Command.RefundPart.Step.COMPLETE;
      OrderToken token = command.token();
      if (token != null && (completes || command instanceof Command.Refund)) {
        skuIds.add(token.skuId());
      }
    }
    return skuIds;
  }

  /** The orders that the RESERVE commands book. */
  public static Set<OrderToken> reserved(List<Command> commands) {
    return commands.stream()
        .filter(Command.Reserve.class::isInstance)
        .map(command -> ((Command.Reserve) command).grant().token())
        .collect(Collectors.toSet());
  }
}
