package io.sluice.admin.report;

import io.sluice.ledger.BucketRow;
import io.sluice.ledger.History;
import io.sluice.ledger.History.Group;
import io.sluice.ledger.History.Incident;
import io.sluice.ledger.History.Interval;
import io.sluice.ledger.History.Kind;
import io.sluice.ledger.SaleLedger.Member;
import io.sluice.ledger.SaleLedger.Seen;
import io.sluice.model.Sku;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The report of a sale.
 *
 * @param skus those that sold most first
 * @param timeline from the ledger
 * @param later what happened to orders after the end of the timeline, as refunds do
 * @param waits orders by the number of their time from grant to payment
 * @param requests the counts of instances
 */
record SaleReport(
    Seen seen,
    List<SkuLine> skus,
    Timeline timeline,
    Map<Kind, Count> later,
    Map<Kind, Count> totals,
    List<Long> waits,
    Requests requests,
    List<Incident> incidents,
    Audited audited) {

  private static final Comparator<SkuLine> BEST_FIRST =
      Comparator.comparingLong(SkuLine::sold).reversed().thenComparingLong(SkuLine::skuId);

  /** Orders, and their units. */
  record Count(long orders, long units) {
    static final Count NONE = new Count(0, 0);

    Count plus(Count other) {
      return new Count(orders + other.orders, units + other.units);
    }
  }

  /**
   * A SKU.
   *
   * @param name null if it has none
   * @param onSale its units
   * @param sold units that were paid in this sale, and not refunded
   * @param held units of orders that may still be paid
   * @param granted orders, of several SKUs as well
   */
  record SkuLine(
      long skuId, @Nullable String name, long onSale, long sold, long held, long granted) {}

  /**
   * The counts of instances.
   *
   * @param refused by reason
   * @param times of all grants
   * @param gaps when orders were granted, and nothing was counted
   */
  record Requests(
      long intervalMs,
      List<RequestPoint> points,
      Map<String, Long> refused,
      GrantTimes times,
      List<Period> gaps) {
    long refusals() {
      return refused.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  /** An interval in which instances have counted something. */
  record RequestPoint(long atMs, Map<String, Long> refused, GrantTimes times) {}

  /**
   * Whether the counters of the ledger equal its rows.
   *
   * @param differing SKUs of which they do not
   * @param moving how many SKUs were not compared, since they sold during the comparison
   * @param oversold units that were held or sold beyond those on sale
   */
  record Audited(List<Long> differing, long moving, long oversold) {
    boolean isClean() {
      return differing.isEmpty() && moving == 0 && oversold == 0;
    }
  }

  Count total(Kind kind) {
    return totals.getOrDefault(kind, Count.NONE);
  }

  long sum(ToLongFunction<SkuLine> value) {
    return skus.stream().mapToLong(value).sum();
  }

  /** When its timeline or its requests begin; empty if nothing happened. */
  Optional<Period> period() {
    long from = Long.MAX_VALUE;
    long until = Long.MIN_VALUE;
    if (!timeline.isEmpty()) {
      from = timeline.fromMs();
      until = timeline.untilMs();
    }
    if (!requests.points().isEmpty()) {
      from = Math.min(from, requests.points().get(0).atMs());
      RequestPoint last = requests.points().get(requests.points().size() - 1);
      until = Math.max(until, last.atMs() + requests.intervalMs());
    }
    return from > until ? Optional.empty() : Optional.of(new Period(from, until));
  }

  /** A time. */
  record Period(long fromMs, long untilMs) {}

  /** A report in the making: sums up what is read. */
  static final class Draft {
    /** Counters are kept in intervals of this length at least. */
    private static final long COUNTED_MS = 10_000;

    /** After the last payment deadline, orders that were not paid time out. */
    private static final long TIMEOUTS_MS = 60_000;

    private final Seen seen;
    private final NavigableMap<Long, Sums> skus = new TreeMap<>();
    private final Timeline timeline = new Timeline();
    private final Map<Kind, Count> totals = new EnumMap<>(Kind.class);
    private final Map<Kind, Count> later = new EnumMap<>(Kind.class);
    private final long[] waits = new long[History.WAITS_MS.size() + 1];
    private final List<Interval> intervals = new ArrayList<>();
    private long lastDeadlineMs;

    /** Units by what the rows of a SKU say. */
    private static final class Units {
      private long held;
      private long sold;

      void add(Group group) {
        long units = group.units();
        switch (group.kind()) {
          case GRANTED -> held += units;
          case PAID -> {
            held -= units;
            sold += units;
          }
          case CANCELED, TIMED_OUT -> held -= units;
          case REFUNDED -> sold -= units;
          case PAID_LATE -> {
            // No unit moves.
          }
        }
      }
    }

    /** The sums of one SKU: of all its sales, and of this one. */
    private static final class Sums {
      private final Member member;
      private final Units all = new Units();
      private final Units here = new Units();
      private Counters after = Counters.NONE;
      private long granted;

      Sums(Member member) {
        this.member = member;
      }

      /** Whether the rows are of this sale. */
      boolean add(Group group) {
        all.add(group);
        if (group.saleNo() != member.sku().saleNo()) {
          return false;
        }
        here.add(group);
        granted += group.kind() == Kind.GRANTED ? group.lines() : 0;
        return true;
      }

      /** Of a SKU that is in a later sale, only the orders of this one are compared. */
      boolean agrees() {
        return member.isCurrent()
            ? all.held == after.held && all.sold == after.sold
            : here.held + here.sold == member.sold();
      }

      SkuLine line() {
        Sku sku = member.sku();
        return member.isCurrent()
            ? new SkuLine(sku.skuId(), sku.name(), after.onSale, here.sold, after.held, granted)
            : new SkuLine(sku.skuId(), sku.name(), sku.stockNow(), here.sold, here.held, granted);
      }

      long oversold() {
        return Math.max(
            0,
            member.isCurrent()
                ? after.held + after.sold - after.allotted
                : member.sold() - member.sku().stockNow());
      }
    }

    /**
     * The counters of a SKU's buckets.
     *
     * @param onSale what of the allotments is not of earlier sales
     */
    private record Counters(long allotted, long onSale, long held, long sold) {
      static final Counters NONE = new Counters(0, 0, 0, 0);

      static Counters of(List<BucketRow> rows) {
        return new Counters(
            rows.stream().mapToLong(BucketRow::allotted).sum(),
            rows.stream().mapToLong(BucketRow::stock).sum(),
            rows.stream().mapToLong(BucketRow::held).sum(),
            rows.stream().mapToLong(BucketRow::sold).sum());
      }
    }

    Draft(Seen seen) {
      this.seen = seen;
    }

    String saleId() {
      return seen.sale().saleId();
    }

    /** Begins with these SKUs. */
    void begin(List<Member> page) {
      page.forEach(member -> skus.put(member.sku().skuId(), new Sums(member)));
    }

    /** The ids of the next SKUs that were begun. */
    List<Long> skusAfter(long skuId, int limit) {
      return skus.tailMap(skuId, false).keySet().stream().limit(limit).toList();
    }

    long intervalMs() {
      return timeline.intervalMs();
    }

    void add(List<Group> groups) {
      for (Group group : groups) {
        if (Objects.requireNonNull(skus.get(group.skuId())).add(group)) {
          count(group);
        }
      }
    }

    private void count(Group group) {
      add(totals, group);
      if (group.kind() == Kind.GRANTED) {
        lastDeadlineMs = Math.max(lastDeadlineMs, group.lastMs());
      } else if (group.firstMs() > lastDeadlineMs + TIMEOUTS_MS) {
        add(later, group);
        return;
      }
      if (group.kind() == Kind.PAID) {
        waits[Math.max(0, group.waited())] += group.orders();
      }
      timeline.add(group.kind(), group.beganMs(), group.orders());
    }

    private static void add(Map<Kind, Count> counts, Group group) {
      counts.merge(group.kind(), new Count(group.orders(), group.units()), Count::plus);
    }

    /** The counters once all rows were read. */
    void end(Map<Long, List<BucketRow>> rows) {
      rows.forEach(
          (skuId, ofSku) -> Objects.requireNonNull(skus.get(skuId)).after = Counters.of(ofSku));
    }

    /** SKUs whose rows do not add up to their counters, perhaps because they are sold meanwhile. */
    List<Long> disagreeing() {
      return skus.entrySet().stream()
          .filter(each -> !each.getValue().agrees())
          .map(Map.Entry::getKey)
          .toList();
    }

    void addIntervals(List<Interval> more) {
      intervals.addAll(more);
    }

    // ---- the result

    /**
     * The counts of instances: all of them together, and around the timeline in intervals that fit
     * to it.
     */
    Requests requests() {
      long intervalMs = countedIntervalMs();
      NavigableMap<Long, RequestPoint> points = new TreeMap<>();
      Map<String, Long> refused = new TreeMap<>();
      GrantTimes times = new GrantTimes();
      for (Interval one : intervals) {
        one.counts().refused().forEach((why, count) -> refused.merge(why, count, Long::sum));
        times.add(one.counts().granted());
        long middleMs = one.beganMs() + one.lengthMs() / 2;
        if (!isAround(middleMs)) {
          continue;
        }
        RequestPoint point =
            points.computeIfAbsent(
                middleMs - middleMs % intervalMs,
                atMs -> new RequestPoint(atMs, new TreeMap<>(), new GrantTimes()));
        one.counts()
            .refused()
            .forEach((why, count) -> point.refused().merge(why, count, Long::sum));
        point.times().add(one.counts().granted());
      }
      return new Requests(intervalMs, List.copyOf(points.values()), refused, times, gaps());
    }

    private long countedIntervalMs() {
      long intervalMs = Math.max(COUNTED_MS, timeline.intervalMs());
      if (timeline.isEmpty() && !intervals.isEmpty()) {
        Interval last = intervals.get(intervals.size() - 1);
        long spanMs = last.beganMs() - intervals.get(0).beganMs();
        while (spanMs / intervalMs >= Timeline.POINTS_MAX) {
          intervalMs = Timeline.next(intervalMs);
        }
      }
      return intervalMs;
    }

    /**
     * Those of the timeline's intervals that have grants, and lie in no interval that was counted.
     */
    private List<Period> gaps() {
      NavigableMap<Long, Long> counted = new TreeMap<>();
      for (Interval one : intervals) {
        counted.merge(
            one.beganMs() - COUNTED_MS, one.beganMs() + one.lengthMs() + COUNTED_MS, Math::max);
      }
      List<Period> gaps = new ArrayList<>();
      long seenMs = Long.MIN_VALUE;
      for (Timeline.Point point : timeline.toPoints()) {
        for (Long until : counted.headMap(point.atMs() + timeline.intervalMs(), true).values()) {
          seenMs = Math.max(seenMs, until);
        }
        if (point.of(Kind.GRANTED) > 0 && seenMs < point.atMs()) {
          gaps.add(new Period(point.atMs(), point.atMs() + timeline.intervalMs()));
        }
      }
      return gaps;
    }

    private boolean isAround(long atMs) {
      return timeline.isEmpty()
          || (atMs >= timeline.fromMs() - TIMEOUTS_MS && atMs <= timeline.untilMs() + TIMEOUTS_MS);
    }

    /**
     * @param differing SKUs that were looked at in one snapshot, and differ
     * @param unclear SKUs whose rows did not add up, and that were not looked at again
     */
    SaleReport finish(
        Requests requests, List<Incident> incidents, List<Long> differing, long unclear) {
      List<SkuLine> lines = new ArrayList<>();
      long oversold = 0;
      for (Sums sums : skus.values()) {
        lines.add(sums.line());
        oversold += sums.oversold();
      }
      lines.sort(BEST_FIRST);
      return new SaleReport(
          seen,
          lines,
          timeline,
          later,
          totals,
          Arrays.stream(waits).boxed().toList(),
          requests,
          incidents,
          new Audited(differing, unclear, oversold));
    }
  }
}
