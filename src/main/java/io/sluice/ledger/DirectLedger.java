package io.sluice.ledger;

import io.sluice.model.BucketId;
import io.sluice.model.Cart;
import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.Refusal;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * SKUs that sell in the ledger alone (mode DIRECT): nothing of them is in Redis or in the order
 * log, and they have no owner. The lock of a bucket decides between callers, of whatever instance.
 * Each call is one transaction; failures as in {@link Ledger}.
 */
public interface DirectLedger {
  /** The maximum number of requests in one {@link #place}. */
  int WISHES_MAX = 500;

  /** The maximum number of the lines of all of them. */
  int LINES_MAX = 1_000;

  /**
   * A buyer's request for units of one SKU, or of several, of all or of none.
   *
   * @param token that of the first line; those of the others differ in the bucket only
   * @param reference the caller's own name for the order, or null
   * @param lines by SKU id, which differ
   */
  record Wish(OrderToken token, String userId, @Nullable String reference, List<Line> lines) {
    public Wish {
      lines = List.copyOf(lines);
    }

    /** A request for one SKU. */
    public Wish(OrderToken token, String userId, int qty, @Nullable String reference) {
      this(token, userId, reference, List.of(new Line(token.bucketId(), qty)));
    }

    /** The tokens of all lines, in their order. */
    public List<OrderToken> tokens() {
      return lines.stream().map(line -> token.in(line.bucket())).toList();
    }

    /**
     * Whether this order is what it asks for.
     *
     * @param qty of an order of one SKU
     * @param cart null if it is one
     */
    public boolean isFor(String user, int qty, @Nullable Cart cart) {
      List<Line> its =
          cart == null
              ? List.of(new Line(token.bucketId(), qty))
              : cart.lines().stream().map(line -> new Line(line.bucket(), line.qty())).toList();
      return userId.equals(user) && lines.equals(its);
    }
  }

  /** Units of one bucket. */
  record Line(BucketId bucket, int qty) {}

  /** The outcome of a request. */
  sealed interface Outcome {
    /**
     * Its order is in the ledger.
     *
     * @param fresh whether this request has made it
     */
    record Booked(Order order, boolean fresh) implements Outcome {}

    /**
     * @param line the number of the line that is refused, from 0
     * @param available units that its bucket has left; if it is sold out, those of the SKU
     */
    record Refused(Refusal refusal, int line, long available) implements Outcome {
      /** A refusal of the first line, or of all. */
      public Refused(Refusal refusal, long available) {
        this(refusal, 0, available);
      }
    }

    /**
     * The bucket of a line has too few units, others of its SKU have some.
     *
     * @param line the number of the first such line, from 0
     */
    record Elsewhere(int line) implements Outcome {}

    /** The caller believes in another sale of this SKU, and reads it again. */
    record OtherSale(long skuId) implements Outcome {}
  }

  /**
   * Decides requests for the same SKUs in order, each on the state that the one before has left,
   * and books those that get all their units. The refusals have the order of precedence that those
   * of Redis have, and leave no trace.
   *
   * @param saleNos by the id of each SKU its sale, as the caller believes; 0 if it is in none
   * @param wishes up to {@link #WISHES_MAX}; asked for once a connection is there, since those that
   *     have come meanwhile share the transaction, and again if it is repeated
   * @return an outcome of each, in their order
   */
  Future<List<Outcome>> place(Map<Long, Long> saleNos, Supplier<List<Wish>> wishes);

  /**
   * Brings units to a bucket that has fewer than {@code qty} free: half of what the richest of the
   * others has, or more if that is too little. Without an effect if it has enough, or all together
   * have too few.
   *
   * @return whether it has enough now
   */
  Future<Boolean> gather(BucketId bucket, int qty);

  /**
   * Applies commands to orders of direct SKUs, in order.
   *
   * @return those of these orders that exist, in their state after that
   */
  Future<Map<OrderToken, Order>> apply(List<Command> commands);

  /**
   * Stores when the orders of direct SKUs could last be paid, unless another reading than that
   * {@code since} was stored meanwhile; false then.
   *
   * @param since the {@code readAtMs} of the reading that this one follows; 0 if there was none
   * @param outage whether it begins or extends a shift, which is counted
   */
  Future<Boolean> keepReading(long since, Reading reading, boolean outage);

  /** {@link Ledger#crossMarks} for direct SKUs, which have no owner. */
  Future<Void> crossMarks(long afterSkuId, int limit);

  /**
   * Takes a step towards the end of a bucket of an ENDING SKU of which nothing is held. Forgets
   * some of its buyers, or ends it, and with the last one its SKU. Without an effect on others.
   *
   * @return whether there is more to do
   */
  Future<Boolean> endBucket(BucketId bucket, int buyersMax);

  // ---- events, if there is no order log

  /**
   * An event of a direct SKU.
   *
   * @param number one higher from event to event; a number once read is never followed by a lower
   *     one
   */
  record NumberedEvent(long number, String payload) {}

  /**
   * Numbers the oldest events that have no number yet, up to so many rows of the outbox. Without an
   * effect if the ledger has an order log: the owner of its first partition sends them.
   *
   * @return whether there may be more
   */
  Future<Boolean> numberEvents(int rowsMax);

  /** Numbered events in order, those after a number. */
  Future<List<NumberedEvent>> events(long after, int limit);

  /**
   * The numbers that were given.
   *
   * @param first of the oldest event that is kept; 0 if none is
   * @param firstAtMs when that was numbered; 0 if none is kept
   * @param last the last number; 0 if none was given
   */
  record EventNumbers(long first, long firstAtMs, long last) {
    /** Whether all events after this number are kept, and it is of this ledger. */
    public boolean hasAllAfter(long number) {
      return number <= last && (number == last || (first != 0 && first <= number + 1));
    }
  }

  /** The numbers that are given by now. */
  Future<EventNumbers> eventNumbers();

  /** Deletes numbered events that are older than this, the oldest first; returns how many. */
  Future<Integer> purgeEvents(long olderThanMs, int limit);
}
