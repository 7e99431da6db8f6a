package io.sluice.chaos.check;

import io.sluice.chaos.buyer.OrderStory;
import io.sluice.chaos.buyer.OrderStory.BookedMark;
import io.sluice.chaos.buyer.OrderStory.GrantedUnits;
import io.sluice.chaos.check.BookedOrder.Bucket;
import io.sluice.chaos.check.BookedOrder.Txn;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Checks that all observations of a sale fit one sequential history per bucket: the answers to
 * buyers, their times, and the ledger's rows. The sequence is that of the grants, by epoch and seq;
 * the checks compare pairs of orders, and the steps of a single one.
 */
public final class History {
  /**
   * Maximum difference between the clocks of two threads of this process, plus a rounded duration.
   */
  private static final long ROUNDING_MS = 5;

  /** The position of a grant in its bucket: qty units, the last of which has this seq. */
  private record Place(long epoch, long seq) implements Comparable<Place> {
    static Place of(BookedOrder order) {
      return new Place(order.epoch(), order.seq());
    }

    @Override
    public int compareTo(Place other) {
      return epoch == other.epoch ? Long.compare(seq, other.seq) : Long.compare(epoch, other.epoch);
    }

    @Override
    public String toString() {
      return "seq %d of epoch %d".formatted(seq, epoch);
    }
  }

  /**
   * An order with the interval in which it was granted: after its first request, before its first
   * yes.
   */
  private record Granted(BookedOrder order, long beganMs, long yesMs) {}

  private final Map<String, BookedOrder> orders;
  private final List<Txn> txns;
  private final List<OrderStory> stories;
  private final List<String> breaches = new ArrayList<>();

  private History(Map<String, BookedOrder> orders, List<Txn> txns, List<OrderStory> stories) {
    this.orders = orders;
    this.txns = txns;
    this.stories = stories;
  }

  /**
   * One line per breach.
   *
   * @param orders by token
   * @param txns all rows of {@code stock_txn}, oldest first
   * @param binds whether an answer must still hold: false where it came from a ledger that was put
   *     back to a backup afterwards
   */
  public static List<String> breaches(
      Map<String, BookedOrder> orders,
      List<Txn> txns,
      List<OrderStory> stories,
      Predicate<BookedMark> binds) {
    var history = new History(orders, txns, stories);
    history.eachUnitOnce();
    history.epochsRise();
    history.eachYesHeldOnce();
    history.grantsFitTheirTime();
    orders.values().forEach(order -> history.breaches.addAll(OrderWalk.breaches(order)));
    stories.forEach(story -> history.breaches.addAll(StatusWalk.breaches(story, binds)));
    return history.breaches;
  }

  /** Seq counts units: an order of two units with seq 7 has the sixth and the seventh. */
  private void eachUnitOnce() {
    for (List<BookedOrder> bucket : byBucket(orders.values())) {
      BookedOrder before = null;
      for (BookedOrder order : sorted(bucket)) {
        boolean follows = before != null && before.epoch() == order.epoch();
        long taken = follows ? before.seq() : 0;
        if (order.seq() - order.qty() < taken) {
          breaches.add(
              "%s and %s of %s have a unit in common: %s, %d units, after %s"
                  .formatted(
                      order.token(),
                      follows ? before.token() : "nobody",
                      order.home(),
                      Place.of(order),
                      order.qty(),
                      follows ? Place.of(before) : "none"));
        }
        before = order;
      }
    }
  }

  /** The gate books grants of the bucket's current epoch only, and the epoch only grows. */
  private void epochsRise() {
    Map<Bucket, BookedOrder> last = new HashMap<>();
    for (Txn txn : txns) {
      BookedOrder order = orders.get(txn.token());
      if (order != null && txn.action().equals("HOLD")) {
        BookedOrder before = last.put(order.home(), order);
        if (before != null && before.epoch() > order.epoch()) {
          breaches.add(
              "%s of epoch %d was booked after %s of epoch %d"
                  .formatted(order.token(), order.epoch(), before.token(), before.epoch()));
        }
      }
    }
  }

  private void eachYesHeldOnce() {
    Map<String, Long> holds =
        txns.stream()
            .filter(txn -> txn.action().equals("HOLD"))
            .collect(Collectors.groupingBy(Txn::token, Collectors.counting()));
    for (OrderStory story : stories) {
      for (String token : story.tokens()) {
        for (String line : linesOf(token)) {
          long held = holds.getOrDefault(line, 0L);
          if (held != 1) {
            breaches.add("a yes has %d HOLD rows: %s of %s".formatted(held, line, story));
          }
        }
      }
    }
    for (Txn txn : txns) {
      if (!txn.action().equals("RESTOCK") && !orders.containsKey(txn.token())) {
        breaches.add("a row of no order: %s of %s".formatted(txn, txn.token()));
      }
    }
  }

  /**
   * An order whose first request was sent after another one's yes was received was granted after
   * it: with a later epoch, or a higher seq.
   */
  private void grantsFitTheirTime() {
    for (List<Granted> bucket : granted()) {
      List<Granted> byYes =
          bucket.stream().sorted(Comparator.comparingLong(Granted::yesMs)).toList();
      int known = 0;
      Granted highest = null;
      for (Granted next :
          bucket.stream().sorted(Comparator.comparingLong(Granted::beganMs)).toList()) {
        while (known < byYes.size() && byYes.get(known).yesMs() < next.beganMs() - ROUNDING_MS) {
          Granted heard = byYes.get(known++);
          highest = highest == null || place(heard).compareTo(place(highest)) > 0 ? heard : highest;
        }
        if (highest != null && place(next).compareTo(place(highest)) <= 0) {
          breaches.add(
              "%s has %s, but was requested after the yes to %s, which has %s"
                  .formatted(
                      next.order().token(), place(next), highest.order().token(), place(highest)));
        }
      }
    }
  }

  private static Place place(Granted granted) {
    return Place.of(granted.order());
  }

  private Collection<List<Granted>> granted() {
    List<Granted> all = new ArrayList<>();
    for (OrderStory story : stories) {
      for (String token : story.tokens()) {
        for (String line : linesOf(token)) {
          BookedOrder order = orders.get(line);
          if (order != null) {
            all.add(new Granted(order, story.beganMs(), firstYesMs(story, token, order)));
          }
        }
      }
    }
    return all.stream().collect(Collectors.groupingBy(granted -> granted.order().home())).values();
  }

  private List<String> linesOf(String token) {
    BookedOrder order = orders.get(token);
    return order == null ? List.of(token) : order.lines();
  }

  /** The time of the first answer with this token that confirmed this grant (same seq). */
  private static long firstYesMs(OrderStory story, String token, BookedOrder order) {
    var granted = new GrantedUnits(order.skuId(), order.qty(), order.seq());
    return story.tolds().stream()
        .filter(told -> told.isYes() && told.token().equals(token))
        .filter(told -> told.granted().contains(granted))
        .mapToLong(BookedMark::endMs)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  private static Collection<List<BookedOrder>> byBucket(Collection<BookedOrder> all) {
    Map<String, List<BookedOrder>> buckets =
        all.stream()
            .collect(
                Collectors.groupingBy(
                    order -> order.home().toString(), TreeMap::new, Collectors.toList()));
    return buckets.values();
  }

  private static List<BookedOrder> sorted(List<BookedOrder> bucket) {
    return bucket.stream().sorted(Comparator.comparing(Place::of)).toList();
  }
}
