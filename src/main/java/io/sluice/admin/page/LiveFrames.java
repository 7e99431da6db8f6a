package io.sluice.admin.page;

import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.admin.page.StockWatch.SkuNow;
import io.sluice.admin.page.Verdict.Reason;
import io.sluice.async.ThrottledTask;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SkuLedger;
import io.sluice.metrics.MeterReading;
import io.sluice.metrics.MeterReading.Histogram;
import io.sluice.metrics.OwnerMeters.Units;
import io.sluice.monitor.Alarm;
import io.sluice.stock.Stock;
import io.sluice.stock.StockConnection.Memory;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Builds frames: the state of a sale as this instance knows it now, before it has connected to its
 * stores with less in it. Counters are totals since its start; a viewer takes the difference of two
 * frames.
 */
public final class LiveFrames implements Supplier<JsonObject> {
  /** For how long an alarm is a reason to look. */
  static final Duration ALARM_IS_NEWS = Duration.ofMinutes(5);

  /** The alarm of a part that {@code /readyz} names, if it is away. */
  private static final Map<String, Alarm> AWAY =
      Map.of("mysql", Alarm.LEDGER_AWAY, "redis", Alarm.STOCK_AWAY, "kafka", Alarm.LOG_AWAY);

  private static final int ALARMS_MAX = 5;
  private static final Duration INSTANCES_EVERY = Duration.ofSeconds(2);
  private static final Duration REPORTS_EVERY = Duration.ofSeconds(2);
  private static final Duration MEMORY_EVERY = Duration.ofSeconds(1);
  private static final double AGE_LIMIT_S = 30;
  private static final double RELEASE_LIMIT_S = 5;
  private static final double SILENT_S = 20;
  private static final String RELEASE = "release";

  private final MeterRegistry registry;
  private final Supplier<JsonObject> readiness;
  private final Supplier<JsonArray> changes;
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private @Nullable Reads reads;

  /**
   * The sources of frames once the instance serves.
   *
   * @param instance its id
   * @param backlogMax the limit of the backlog, in orders
   * @param connectionsMax the limit of the public port's connections
   * @param memory reads that of Redis
   * @param heard receives all events
   */
  public record Sources(
      String instance,
      int backlogMax,
      int connectionsMax,
      SkuLedger ledger,
      SaleLedger sales,
      Supplier<Future<List<String>>> instances,
      Stock stock,
      Supplier<Future<Memory>> memory,
      HeardEvents heard) {}

  /** A fact that all instances share, and that changes slowly. */
  private static final class Fact<T> {
    private final ThrottledTask look;
    private T last;

    Fact(T first, Supplier<Future<T>> read, Duration every, LongSupplier nanoTime) {
      this.last = first;
      this.look = new ThrottledTask(() -> read.get().onSuccess(now -> last = now), every, nanoTime);
    }

    /** As it was read last; may start a read, which the next call shows. */
    T now() {
      look.ask();
      return last;
    }
  }

  /**
   * The last comparison of a partition with Redis.
   *
   * @param atMs when it ended, by the ledger's clock
   * @param compared how many buckets were
   * @param drift how many of them differed
   * @param units of the partition; null in the report of a build that does not count them
   */
  private record Report(long atMs, long compared, long drift, @Nullable Units units) {
    static Map<Integer, Report> parsed(Map<Integer, String> texts) {
      Map<Integer, Report> all = new TreeMap<>();
      texts.forEach(
          (partition, text) -> {
            JsonObject json = new JsonObject(text);
            JsonObject units = json.getJsonObject("units");
            all.put(
                partition,
                new Report(
                    json.getLong("at", 0L),
                    json.getLong("compared", 0L),
                    json.getLong("drift", 0L),
                    units == null ? null : Units.of(units)));
          });
      return all;
    }

    /** The units of all these partitions; empty if one has not told yet. */
    static Optional<Units> units(Map<Integer, Report> reports, int partitions) {
      Units all = Units.NONE;
      for (int partition = 0; partition < partitions; partition++) {
        Report report = reports.get(partition);
        Units units = report == null ? null : report.units();
        if (units == null) {
          return Optional.empty();
        }
        all = all.plus(units.free(), units.held(), units.sold());
      }
      return Optional.of(all);
    }
  }

  /** Reads only while frames are asked for, each fact at its own pace. */
  private record Reads(
      Sources from,
      StockWatch stock,
      SaleWatch sales,
      Fact<List<String>> instances,
      Fact<Map<Integer, Report>> reports,
      Fact<Optional<Memory>> memory) {}

  /**
   * @param readiness as {@code /readyz} has it
   * @param changes what operators have changed lately
   * @param nanoTime a monotonic clock
   */
  public LiveFrames(
      MeterRegistry registry,
      Supplier<JsonObject> readiness,
      Supplier<JsonArray> changes,
      InstantSource clock,
      LongSupplier nanoTime) {
    this.registry = registry;
    this.readiness = readiness;
    this.changes = changes;
    this.clock = clock;
    this.nanoTime = nanoTime;
  }

  /** The instance has connected to its stores; called on the event loop of the frames. */
  public void serve(Sources from) {
    reads =
        new Reads(
            from,
            new StockWatch(from.ledger(), from.stock(), clock, nanoTime),
            new SaleWatch(from.sales(), nanoTime),
            new Fact<>(List.of(), from.instances(), INSTANCES_EVERY, nanoTime),
            new Fact<>(
                Map.of(),
                () -> from.ledger().reports().map(Report::parsed),
                REPORTS_EVERY,
                nanoTime),
            new Fact<>(
                Optional.empty(),
                () -> from.memory().get().map(Optional::of),
                MEMORY_EVERY,
                nanoTime));
  }

  @Override
  public JsonObject get() {
    Reads from = reads;
    if (from != null) {
      from.sales().ask();
    }
    return new Frame(
            clock.millis(), readiness.get(), new MeterReading(registry), changes.get(), from)
        .json();
  }

  /**
   * A value that has a limit.
   *
   * @param value negative if it is not known yet
   * @param limit 0 if it has none
   * @param worry the part of its limit from which on it is a reason to look
   * @param unit after the number: orders, s, bytes, connections
   */
  private record Bound(String name, double value, double limit, double worry, String unit) {
    boolean isOver() {
      return limit > 0 && value >= limit * worry;
    }

    JsonObject json() {
      return new JsonObject()
          .put("name", name)
          .put("value", value < 0 ? null : value)
          .put("limit", limit)
          .put("unit", unit)
          .put("over", isOver());
    }
  }

  /**
   * One frame.
   *
   * @param readiness as {@code /readyz} has it
   * @param changes what operators have changed lately, newest first
   * @param known null until the instance has connected to its stores
   */
  private record Frame(
      long nowMs,
      JsonObject readiness,
      MeterReading meters,
      JsonArray changes,
      @Nullable Reads known) {
    JsonObject json() {
      List<Bound> bounds = bounds();
      JsonObject frame =
          new JsonObject()
              .put("at", nowMs)
              .put("status", verdict(bounds).json())
              .put("ready", readiness)
              .put("grants", (long) meters.sum("sluice_grants"))
              .put("refusals", refusals())
              .put("placing", json(meters.histogram("sluice_placing")))
              .put("bounds", array(bounds.stream().map(Bound::json)))
              .put("drifted", (long) meters.sum("sluice_drift"))
              .put("alarms", alarms())
              .put("changes", changes);
      return known == null ? frame : frame.mergeIn(json(known));
    }

    private JsonObject json(Reads of) {
      JsonObject json =
          new JsonObject()
              .put("instance", of.from().instance())
              .put("instances", new JsonArray(of.instances().now()))
              .put("partitions", partitions(of))
              .put("events", new JsonObject(Map.copyOf(of.from().heard().counts())))
              .put("more_skus", of.stock().hasMore())
              .put("sales", of.sales().json(nowMs))
              .put("more_sales", of.sales().hasMore());
      if (of.stock().hasMore()) {
        Report.units(of.reports().now(), of.from().heard().partitions())
            .ifPresent(units -> json.put("units", units.json()));
      }
      return of.stock().isRead()
          ? json.put("skus", array(of.stock().now().stream().map(seen -> seen.json(nowMs))))
          : json;
    }

    private static JsonArray array(Stream<JsonObject> items) {
      return new JsonArray(items.toList());
    }

    // ---- the word, and what has a limit

    private Verdict verdict(List<Bound> bounds) {
      JsonObject parts = readiness.getJsonObject("parts");
      List<String> down =
          parts.fieldNames().stream()
              .filter(name -> !"up".equals(parts.getJsonObject(name).getString("state")))
              .toList();
      return Verdict.of(
          new Verdict.Facts(
              Boolean.TRUE.equals(readiness.getBoolean("ready")),
              down.stream()
                  .map(name -> away(name, parts.getJsonObject(name), down.size() == 1))
                  .toList(),
              worries(bounds, down),
              known == null ? List.of() : known.stock().now(),
              known != null && known.stock().isRead(),
              nowMs));
    }

    /** What an alarm says works is so if nothing else is away, and once the instance serves. */
    private Reason away(String name, JsonObject part, boolean isAlone) {
      Alarm alarm = AWAY.get(name);
      String works = alarm == null || !isAlone || known == null ? "" : alarm.works();
      return new Reason(name + ": " + part.getString("detail"), alarm, works);
    }

    /** The alarm of a part that is away has its line already; one that is back says so. */
    private Stream<Reason> news(List<String> down) {
      return recentAlarms()
          .filter(alarm -> nowMs - alarm.lastRaisedAtMs() < ALARM_IS_NEWS.toMillis())
          .filter(alarm -> down.stream().noneMatch(name -> alarm == AWAY.get(name)))
          .map(
              alarm ->
                  new Reason(
                      "alarm " + alarm.word(),
                      alarm,
                      AWAY.containsValue(alarm)
                          ? "everything; it is back"
                          : down.isEmpty() ? alarm.works() : ""));
    }

    private List<Reason> worries(List<Bound> bounds, List<String> down) {
      List<Reason> worries = new ArrayList<>(news(down).toList());
      bounds.stream()
          .filter(Bound::isOver)
          .forEach(bound -> worries.add(Reason.of(bound.name() + " is high")));
      long out = (long) meters.sum("sluice_log_partitions_out");
      if (out > 0) {
        worries.add(
            new Reason(
                out + " partitions of the log take no records",
                Alarm.LOG_AWAY,
                "all other partitions"));
      }
      meters
          .byTag("sluice_owner_silence_seconds", "partition")
          .forEach(
              (partition, silentS) -> {
                if (silentS > SILENT_S) {
                  worries.add(
                      new Reason(
                          "partition %s has no owner".formatted(partition),
                          Alarm.NO_OWNER,
                          down.isEmpty() ? Alarm.NO_OWNER.works() : ""));
                }
              });
      if (known != null) {
        long drift = known.reports().now().values().stream().mapToLong(r -> r.drift()).sum();
        if (drift > 0) {
          worries.add(Reason.of("drift in " + drift + " buckets"));
        }
        long shut = known.stock().now().stream().mapToLong(SkuNow::shut).sum();
        if (shut > 0) {
          worries.add(Reason.of(shut + " buckets are being loaded"));
        }
      }
      return worries;
    }

    private List<Bound> bounds() {
      Map<String, Double> outbox = meters.byTag("sluice_outbox_age_seconds", "kind");
      double released = outbox.getOrDefault(RELEASE, 0.0);
      double others =
          outbox.entrySet().stream()
              .filter(kind -> !kind.getKey().equals(RELEASE))
              .mapToDouble(Map.Entry::getValue)
              .max()
              .orElse(0);
      Memory memory = known == null ? null : known.memory().now().orElse(null);
      return List.of(
          new Bound(
              "backlog",
              meters.sum("sluice_log_backlog_orders"),
              known == null ? 0 : known.from().backlogMax(),
              0.5,
              "orders"),
          new Bound("unbooked age", meters.max("sluice_unbooked_age_seconds"), AGE_LIMIT_S, 1, "s"),
          new Bound("outbox age", others, AGE_LIMIT_S, 1, "s"),
          new Bound("release lag", released, RELEASE_LIMIT_S, 1, "s"),
          new Bound(
              "Redis memory",
              memory == null ? -1 : memory.usedBytes(),
              memory == null ? 0 : memory.maxBytes(),
              0.9,
              "bytes"),
          new Bound(
              "connections",
              meters.sum("sluice_http_connections"),
              known == null ? 0 : known.from().connectionsMax(),
              0.9,
              ""));
    }

    // ---- what was counted

    private JsonObject refusals() {
      JsonObject all = new JsonObject();
      meters.byTag("sluice_refusals", "refusal").forEach((word, count) -> put(all, word, count));
      put(all, "too-many-requests", meters.sum("sluice_admission_refused"));
      return all;
    }

    private static void put(JsonObject to, String word, double count) {
      if (count > 0) {
        to.put(word, (long) count);
      }
    }

    private static JsonObject json(Histogram of) {
      JsonArray bounds = new JsonArray();
      JsonArray counts = new JsonArray();
      of.buckets()
          .forEach(
              bucket -> {
                bounds.add(bucket.boundMs());
                counts.add(bucket.count());
              });
      return new JsonObject()
          .put("count", of.count())
          .put("bounds_ms", bounds)
          .put("counts", counts);
    }

    // ---- alarms, partitions

    private static Stream<Alarm> recentAlarms() {
      return Arrays.stream(Alarm.values())
          .filter(alarm -> alarm.lastRaisedAtMs() > 0)
          .sorted(Comparator.comparingLong(Alarm::lastRaisedAtMs).reversed());
    }

    private static JsonArray alarms() {
      return array(
          recentAlarms()
              .limit(ALARMS_MAX)
              .map(
                  alarm ->
                      new JsonObject()
                          .put("word", alarm.word())
                          .put("text", alarm.text())
                          .put("works", alarm.works())
                          .put("times", alarm.raised())
                          .put("at", alarm.lastRaisedAtMs())));
    }

    private JsonArray partitions(Reads of) {
      Map<String, Double> terms = meters.byTag("sluice_owner_term", "partition");
      Map<String, Double> backlogs =
          meters.byTag("sluice_log_partition_backlog_records", "partition");
      Map<String, Double> silences = meters.byTag("sluice_owner_silence_seconds", "partition");
      Map<String, Double> ages = meters.byTag("sluice_unbooked_age_seconds", "partition");
      JsonArray all = new JsonArray();
      for (int partition = 0; partition < of.from().heard().partitions(); partition++) {
        String key = String.valueOf(partition);
        JsonObject json =
            new JsonObject()
                .put("partition", partition)
                .put("owner", of.from().heard().ownerOf(partition))
                .put("term", terms.getOrDefault(key, 0.0).longValue())
                .put("backlog", backlogs.getOrDefault(key, 0.0).longValue())
                .put("silent_s", silences.getOrDefault(key, 0.0))
                .put("unbooked_s", ages.getOrDefault(key, 0.0));
        Report report = of.reports().now().get(partition);
        if (report != null) {
          json.put("compared", report.compared())
              .put("compared_at", report.atMs())
              .put("drift", report.drift());
        }
        all.add(json);
      }
      return all;
    }
  }
}
