package io.sluice.ledger;

import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What has happened to orders and in sales, for people. Not for the hot path. Failures as in {@link
 * Ledger}.
 */
public interface History {
  // ---- orders for people, archived ones included; those that were rejected are not in pages

  /**
   * Something that happened to an order.
   *
   * @param what GRANTED, BOOKED or REJECTED, then the action of a move or the kind of a note
   * @param reason of a cancellation or rejection; {@link #WITHDRAWN}; or null
   * @param qty units that it is about; 0 for none
   * @param reference the caller's name, the payment or the refund, or null
   * @param atMs epoch milliseconds; of GRANTED by the clock of Redis, else by the database's
   * @param skuId the line that it is about; 0 if it is about the whole order
   */
  record Chapter(
      String what,
      @Nullable String reason,
      int qty,
      @Nullable String reference,
      long atMs,
      long skuId) {
    /** The reason of a refund whose units left the stock. It is stored; do not rename it. */
    public static final String WITHDRAWN = "WITHDRAWN";

    /** Of the whole order. */
    public Chapter(
        String what, @Nullable String reason, int qty, @Nullable String reference, long atMs) {
      this(what, reason, qty, reference, atMs, 0);
    }
  }

  /** An order, and all that happened to it, in order. */
  record Story(Order order, List<Chapter> chapters) {}

  /** The story of an order, of all its lines; empty if the ledger has none. */
  Future<Optional<Story>> story(OrderToken token);

  /** The place of a booked order among those of its SKU. */
  record HoldPlace(int bucket, long epoch, long seq) {
    /** Before every order. */
    public static final HoldPlace FIRST = new HoldPlace(-1, 0, 0);
  }

  /**
   * Some booked orders of a SKU, those of several SKUs as a whole, in the order of their places.
   *
   * @param last the place of the last one; if there is none, where the page begins
   * @param complete whether there is none behind
   */
  record Page(List<Order> orders, HoldPlace last, boolean complete) {}

  /** The maximum number of orders in a page. */
  int PAGE_MAX = 500;

  /**
   * The next booked orders of a SKU.
   *
   * @param limit 1 to {@link #PAGE_MAX}
   */
  Future<Page> page(long skuId, HoldPlace after, int limit);

  /** The place of a booked order among those of its sale. */
  record SalePlace(long skuId, HoldPlace hold) {
    /** Before every order of a sale. */
    public static final SalePlace FIRST = begin(1);

    /** Before every order of a SKU: epochs and seqs begin with 1. */
    public static SalePlace begin(long skuId) {
      return new SalePlace(skuId, new HoldPlace(0, 0, 0));
    }
  }

  /**
   * Some booked orders of a sale, in the order of their places. One of several SKUs is there once,
   * as a whole, at the place of its lead.
   *
   * @param last the place up to which the page has looked
   * @param complete whether there is none behind
   */
  record SalePage(List<Order> orders, SalePlace last, boolean complete) {}

  /** The maximum of SKUs that {@link #pageOfSale} looks at. At least 2, so that it goes on. */
  int SALE_PAGE_SKUS_MAX = 100;

  /**
   * The next booked orders of a sale, also of its SKUs that are in a later one; not those that
   * these have sold before it or since. It looks at no more than {@code limit} orders and {@link
   * #SALE_PAGE_SKUS_MAX} SKUs, so a page that is not complete may have fewer, or none. Empty if
   * there is no such sale.
   *
   * @param limit 1 to {@link #PAGE_MAX}
   */
  Future<Optional<SalePage>> pageOfSale(String saleId, SalePlace after, int limit);

  // ---- orders that are looked up, whatever their SKU: booked, rejected or archived

  /** What orders are looked up by. */
  enum By {
    USER,
    /** The name that the caller gave the order. */
    REFERENCE,
    /** The name of a payment that was told for the order, counted or not. */
    PAYMENT
  }

  /**
   * The place of an order among those that are found, the newest first.
   *
   * @param atMs when it was granted
   * @param token null before all orders
   */
  record FoundPlace(long atMs, @Nullable OrderToken token) {
    /** Before every order. */
    public static final FoundPlace NEWEST = new FoundPlace(Long.MAX_VALUE, null);

    private static final Pattern FORM = Pattern.compile("(\\d{1,18})\\.(.+)");

    /** As text; not of {@link #NEWEST}. */
    public String text() {
      return atMs + "." + token;
    }

    /** The place that has this text; empty if none has. */
    public static Optional<FoundPlace> parse(String text) {
      Matcher parts = FORM.matcher(text);
      return parts.matches()
          ? OrderToken.parse(parts.group(2))
              .filter(OrderToken::isCanonical)
              .map(token -> new FoundPlace(Long.parseLong(parts.group(1)), token))
          : Optional.empty();
    }
  }

  /**
   * Some orders that were found, the newest first; those of several SKUs as a whole.
   *
   * @param next the place up to which the page has looked; empty if there is none behind
   */
  record FoundPage(List<Order> orders, Optional<FoundPlace> next) {}

  /**
   * The next orders that have this buyer, name or payment. An order is found once the event that
   * tells of it was sent. It looks at no more than {@code limit} orders, so a page that is not the
   * last may have fewer.
   *
   * @param limit 1 to {@link #PAGE_MAX}
   */
  Future<FoundPage> lookUp(By by, String value, FoundPlace behind, int limit);

  // ---- events of the orders of SKUs, counted by intervals; slices after each other are no
  // snapshot

  /** The maximum of rows that one slice reads. */
  int SLICE_MAX = 10_000;

  /** The maximum of SKUs that a slice begins with. */
  int SKUS_MAX = 100;

  /** Times from grant to payment: number n of {@link Group#waited} is shorter than the n-th. */
  List<Long> WAITS_MS =
      List.of(
          1_000L,
          2_000L,
          5_000L,
          10_000L,
          20_000L,
          30_000L,
          60_000L,
          120_000L,
          300_000L,
          600_000L,
          1_800_000L,
          3_600_000L);

  /** The kinds of events of an order. */
  enum Kind {
    GRANTED,
    PAID,
    CANCELED,
    TIMED_OUT,
    REFUNDED,
    /** A payment came after the end. */
    PAID_LATE
  }

  /**
   * The counts of an interval. An order of several SKUs is counted where its lead is, a refund that
   * has an id where its line is.
   *
   * @param saleNo the sale of the SKU that the orders belong to
   * @param beganMs begin of the interval
   * @param waited of PAID: the number of the time since the grant; else 0
   * @param lines orders, and lines of orders, of the SKU
   * @param firstMs when it happened first
   * @param lastMs when it happened last; of GRANTED: the last payment deadline
   */
  record Group(
      long skuId,
      long saleNo,
      Kind kind,
      long beganMs,
      int waited,
      long orders,
      long lines,
      long units,
      long firstMs,
      long lastMs) {}

  /** Behind an order of a SKU, or behind a step of it. */
  record Place(long skuId, int bucket, long epoch, long seq, int step) {}

  /**
   * The part that is left to read.
   *
   * @param after the rest of one SKU, which comes first; null if there is none
   * @param skuIds all of these, in rising order
   */
  record Rest(@Nullable Place after, List<Long> skuIds) {
    public Rest {
      skuIds = List.copyOf(skuIds);
    }

    /** All of these SKUs. */
    public static Rest of(List<Long> skuIds) {
      return new Rest(null, skuIds);
    }

    /** After a slice that has reached a place; empty if nothing is left. */
    public Optional<Rest> behind(@Nullable Place reached) {
      if (reached == null) {
        return after == null || skuIds.isEmpty() ? Optional.empty() : Optional.of(of(skuIds));
      }
      return Optional.of(
          new Rest(reached, skuIds.stream().filter(id -> id > reached.skuId()).toList()));
    }
  }

  /** The findings of a slice; the rest is empty at the end. */
  record Slice(List<Group> groups, Optional<Rest> rest) {}

  /** Counts GRANTED. */
  Future<Slice> granted(Rest rest, long intervalMs, int limit);

  /** Counts all else. */
  Future<Slice> ended(Rest rest, long intervalMs, int limit);

  // ---- facts that only instances know: refusals, times of grants, alarms

  /** How long it is kept. */
  int KEPT_DAYS = 90;

  /** The maximum of rows that one call writes, reads or deletes. */
  int ROWS_MAX = 500;

  /** The key of {@link Counts#granted} of grants that took longer than all others. */
  long LONGER = 0;

  /**
   * Counters.
   *
   * @param refused by the names of refusals
   * @param granted by the time in milliseconds within which they were durable, or {@link #LONGER}
   */
  record Counts(Map<String, Long> refused, Map<Long, Long> granted) {
    public Counts {
      refused = Map.copyOf(refused);
      granted = Map.copyOf(granted);
    }

    /** Whether nothing was counted. */
    public boolean isEmpty() {
      return refused.isEmpty() && granted.isEmpty();
    }
  }

  /** The counts of one instance in a sale from {@code beganMs} on. */
  record Interval(String saleId, long beganMs, String instanceId, long lengthMs, Counts counts) {}

  /**
   * An alarm that one instance raised, so many times within a minute.
   *
   * @param alarm its name
   */
  record Incident(
      long firstMs, String instanceId, String alarm, long lastMs, long times, String text) {}

  /** Writes up to {@link #ROWS_MAX} intervals; those that are there stay as they are. */
  Future<Void> keep(List<Interval> intervals);

  /** Writes up to {@link #ROWS_MAX} incidents; those that are there stay as they are. */
  Future<Void> keepIncidents(List<Incident> incidents);

  /** Up to {@link #ROWS_MAX} intervals of the sale behind this one, in order of time. */
  Future<List<Interval>> intervals(String saleId, long afterMs, String afterInstanceId);

  /** The first {@link #ROWS_MAX} incidents of a period. */
  Future<List<Incident>> incidents(long fromMs, long untilMs);

  /** Deletes up to {@link #ROWS_MAX} rows of each kind from before this time; whether all are. */
  Future<Boolean> forget(long beforeMs);
}
