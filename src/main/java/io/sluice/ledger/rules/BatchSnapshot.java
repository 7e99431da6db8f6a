package io.sluice.ledger.rules;

import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The rows that a batch may change, read under their locks.
 *
 * @param nowMs the database's clock, read after locking
 * @param buckets the batch's buckets that exist and belong to this partition
 * @param orders the batch's orders that exist, and overdue holds that may have to be ended to make
 *     room
 * @param claims of the holds, if the database has refused the batch because of them
 * @param elsewhere the partitions of those buckets that are in another one: of lines of orders
 *     whose SKUs have gone on to other sales, or of SKUs that are here as a whole
 * @param whole the SKUs that are locked with all their buckets, so that units may be gathered from
 *     these
 * @param saleIds the ids of the sales that the orders are of
 */
public record BatchSnapshot(
    int partition,
    long nowMs,
    Map<BucketId, Bucket> buckets,
    Map<OrderToken, Order> orders,
    Claims claims,
    Map<BucketId, Integer> elsewhere,
    Set<Long> whole,
    Map<SaleKey, String> saleIds) {

  /** The sale of a SKU that has this number. */
  public record SaleKey(long skuId, long saleNo) {}

  public BatchSnapshot(
      int partition, long nowMs, Map<BucketId, Bucket> buckets, Map<OrderToken, Order> orders) {
    this(partition, nowMs, buckets, orders, Claims.UNKNOWN, Map.of(), Set.of(), Map.of());
  }

  /** The id of the sale that an order is of; null if its SKU was in none. */
  @Nullable String saleIdOf(Order order) {
    return saleIds.get(new SaleKey(order.token().skuId(), order.saleNo()));
  }

  /** The sales of which orders are, and those that these commands book or reject. */
  public static Set<SaleKey> salesOf(Collection<Command> commands, Collection<Order> orders) {
    Set<SaleKey> sales = new HashSet<>();
    for (Command command : commands) {
      if (command instanceof Command.Reserve reserve) {
        add(sales, reserve.grant());
      } else if (command instanceof Command.Reject reject) {
        add(sales, reject.grant());
      }
    }
    orders.forEach(order -> add(sales, order.grant()));
    return sales;
  }

  private static void add(Set<SaleKey> sales, Grant grant) {
    if (grant.saleNo() > 0) {
      sales.add(new SaleKey(grant.token().skuId(), grant.saleNo()));
    }
  }

  /** The partition whose owner puts units of this bucket back on sale. */
  int partitionOf(BucketId bucket) {
    return elsewhere.getOrDefault(bucket, partition);
  }

  /**
   * The tokens of lines that are missing here although another line of their order is not. A batch
   * must see orders as a whole.
   */
  public Set<OrderToken> missingLines() {
    return Wholes.missing(orders);
  }

  /**
   * The counters of a bucket.
   *
   * @param base units of {@code allotted} that orders of earlier sales hold or have bought
   * @param sinceEpoch orders of earlier sales have this epoch at most; 0 in the SKU's first sale
   * @param withdrawn units of orders of the current sale that have left the stock, and that Redis
   *     still counts
   */
  public record Bucket(
      BucketId id,
      long allotted,
      long held,
      long sold,
      long epoch,
      long base,
      long sinceEpoch,
      long withdrawn) {
    /** A bucket of a SKU that was in no sale before this one. */
    public Bucket(BucketId id, long allotted, long held, long sold, long epoch) {
      this(id, allotted, held, sold, epoch, 0, 0, 0);
    }

    long free() {
      return allotted - held - sold;
    }

    Bucket plus(long heldUnits, long soldUnits) {
      return new Bucket(
          id, allotted, held + heldUnits, sold + soldUnits, epoch, base, sinceEpoch, withdrawn);
    }

    Bucket inEpoch(long raised) {
      return new Bucket(id, allotted, held, sold, raised, base, sinceEpoch, withdrawn);
    }

    /** Units come from another bucket of the SKU, or go to one. */
    Bucket allotted(long units) {
      return new Bucket(id, allotted + units, held, sold, epoch, base, sinceEpoch, withdrawn);
    }

    /** Units of an earlier sale leave the stock. */
    Bucket without(long units) {
      return new Bucket(
          id, allotted - units, held, sold, epoch, base - units, sinceEpoch, withdrawn);
    }

    /** Units of the current sale leave the stock. Redis goes on counting them, in both its sums. */
    Bucket withdrawing(long units) {
      return new Bucket(
          id, allotted - units, held, sold, epoch, base, sinceEpoch, withdrawn + units);
    }

    /** Whether an order of this epoch is of the current sale. */
    boolean isCurrent(long orderEpoch) {
      return orderEpoch > sinceEpoch;
    }
  }

  /**
   * The buckets of the same SKU in this partition, if the SKU is here as a whole. The bookings of
   * another partition say nothing of its log.
   */
  Set<BucketId> siblingsHere(BucketId bucket) {
    return whole.contains(bucket.skuId())
        ? buckets.keySet().stream()
            .filter(id -> id.skuId() == bucket.skuId() && !elsewhere.containsKey(id))
            .collect(Collectors.toCollection(TreeSet::new))
        : Set.of();
  }

  /** A copy with further orders, and the ids of their sales. */
  public BatchSnapshot with(Collection<Order> further, Map<SaleKey, String> theirSales) {
    Map<OrderToken, Order> all = new HashMap<>(orders);
    further.forEach(order -> all.put(order.token(), order));
    Map<SaleKey, String> sales = new HashMap<>(saleIds);
    sales.putAll(theirSales);
    return new BatchSnapshot(partition, nowMs, buckets, all, claims, elsewhere, whole, sales);
  }

  /** Converts grants to commands: of one bucket, or whole carts. */
  public static List<Command> reservesOf(List<Grant> grants) {
    boolean areOfOneBucket =
        grants.stream().map(grant -> grant.token().bucketId()).distinct().count() == 1;
    if (grants.isEmpty()
        || !(areOfOneBucket || grants.stream().allMatch(grant -> grant.cart() != null))) {
      throw new IllegalArgumentException("Expected grants of one bucket, but got " + grants);
    }
    return grants.stream().<Command>map(grant -> new Command.Reserve(grant, null)).toList();
  }

  /** The buckets that these commands may change, in the order in which they are locked. */
  public static Set<BucketId> bucketsOf(List<Command> commands) {
    Set<BucketId> buckets = new TreeSet<>();
    for (Command command : commands) {
      command.tokens().forEach(token -> buckets.add(token.bucketId()));
    }
    return buckets;
  }

  /** The orders that these commands may change, in the buckets of this partition. */
  public static Set<OrderToken> tokensOf(List<Command> commands, Set<BucketId> ours) {
    Set<OrderToken> tokens = new HashSet<>();
    for (Command command : commands) {
      for (OrderToken token : command.tokens()) {
        if (ours.contains(token.bucketId())) {
          tokens.add(token);
        }
      }
    }
    return tokens;
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
    for (Grant line : reserve.grant().lines()) {
      Bucket bucket = ours.get(line.token().bucketId());
      if (bucket == null || bucket.epoch() != line.epoch()) {
        return false;
      }
    }
    return true;
  }

  /** The orders of commands that no RESERVE before them books. */
  public static Set<OrderToken> orphans(List<Command> commands) {
    Set<OrderToken> reserved = new HashSet<>();
    Set<OrderToken> orphans = new HashSet<>();
    for (Command command : commands) {
      OrderToken token = command.token();
      if (command instanceof Command.Reserve) {
        reserved.add(token);
      } else if (token != null && !reserved.contains(token)) {
        orphans.add(token);
      }
    }
    return orphans;
  }

  /** The places in their buckets that the RESERVE commands claim. */
  public static Set<Claims.Place> claimed(List<Command> commands, Set<BucketId> ours) {
    return commands.stream()
        .filter(Command.Reserve.class::isInstance)
        .flatMap(command -> ((Command.Reserve) command).grant().lines().stream())
        .filter(grant -> ours.contains(grant.token().bucketId()))
        .map(Claims.Place::of)
        .collect(Collectors.toSet());
  }

  /** The SKUs whose totals refunds lower, also in their current sale. */
  public static Set<Long> withdrawn(List<Command> commands) {
    return refunded(commands.stream().filter(Command::withdraws).toList());
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
    return tokensOf(commands.stream().filter(Command.Reserve.class::isInstance).toList());
  }

  /** The orders that these commands name. */
  public static Set<OrderToken> tokensOf(List<Command> commands) {
    return commands.stream()
        .flatMap(command -> command.tokens().stream())
        .collect(Collectors.toSet());
  }

  /**
   * Which order has which seq of a bucket's epoch. Two orders with one cannot be; the database
   * refuses the second one, and only then are the claims read and compared.
   */
  public static final class Claims {
    /** The claims are not known, so none is taken. */
    public static final Claims UNKNOWN = new Claims(null);

    private final @Nullable Map<Place, OrderToken> taken;

    private Claims(@Nullable Map<Place, OrderToken> taken) {
      this.taken = taken;
    }

    /** A unit's number within the epoch of a bucket. */
    public record Place(BucketId bucket, long epoch, long seq) {
      public static Place of(Grant grant) {
        return new Place(grant.token().bucketId(), grant.epoch(), grant.seq());
      }
    }

    /**
     * @param taken the claims of the ledger's holds, among the places of a batch
     */
    public static Claims of(Map<Place, OrderToken> taken) {
      return new Claims(Map.copyOf(taken));
    }

    /** A copy to which a batch may add. */
    Claims copy() {
      return taken == null ? UNKNOWN : new Claims(new HashMap<>(taken));
    }

    /** Whether another order has the place of this grant; if not, the grant has it from now on. */
    boolean clashesWith(Grant grant) {
      if (taken == null) {
        return false;
      }
      OrderToken holder = taken.putIfAbsent(Place.of(grant), grant.token());
      return holder != null && !holder.equals(grant.token());
    }
  }
}
