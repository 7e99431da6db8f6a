package io.sluice.admin.page;

import io.sluice.alarm.Alarm;
import io.sluice.metrics.MeterReading;
import io.sluice.metrics.MeterReading.Histogram;
import io.sluice.stock.StockConnection.Memory;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One frame: the state of a sale as this instance knows it now. Counters are totals since its
 * start; a viewer takes the difference of two frames.
 *
 * @param readiness as {@code /readyz} has it
 * @param changes what operators have changed lately, newest first
 * @param known null until the instance has connected to its stores
 */
record LiveFrame(
    long nowMs,
    JsonObject readiness,
    MeterReading meters,
    JsonArray changes,
    @Nullable Known known) {
  /** For how long an alarm is a reason to look. */
  static final Duration ALARM_IS_NEWS = Duration.ofMinutes(5);

  private static final int ALARMS_MAX = 5;
  private static final double AGE_LIMIT_S = 30;
  private static final double RELEASE_LIMIT_S = 5;
  private static final double SILENT_S = 20;
  private static final String RELEASE = "release";

  /** The facts from beyond this process, and its limits. */
  record Known(
      String instance,
      int backlogMax,
      int connectionsMax,
      List<SkuNow> skus,
      boolean skusKnown,
      boolean hasMore,
      SaleWatch sales,
      HeardEvents heard,
      SharedFacts shared) {}

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

  private JsonObject json(Known of) {
    JsonObject json =
        new JsonObject()
            .put("instance", of.instance())
            .put("instances", new JsonArray(of.shared().instances()))
            .put("partitions", partitions(of))
            .put("events", new JsonObject(Map.copyOf(of.heard().counts())))
            .put("more_skus", of.hasMore())
            .put("sales", of.sales().json(nowMs))
            .put("more_sales", of.sales().hasMore());
    return of.skusKnown()
        ? json.put("skus", array(of.skus().stream().map(seen -> seen.json(nowMs))))
        : json;
  }

  private static JsonArray array(Stream<JsonObject> items) {
    return new JsonArray(items.toList());
  }

  // ---- the word, and what has a limit

  private Verdict verdict(List<Bound> bounds) {
    List<String> down = new ArrayList<>();
    JsonObject parts = readiness.getJsonObject("parts");
    for (String name : parts.fieldNames()) {
      JsonObject part = parts.getJsonObject(name);
      if (!"up".equals(part.getString("state"))) {
        down.add(name + ": " + part.getString("detail"));
      }
    }
    return Verdict.of(
        new Verdict.Facts(
            Boolean.TRUE.equals(readiness.getBoolean("ready")),
            down,
            worries(bounds),
            known == null ? List.of() : known.skus(),
            known != null && known.skusKnown(),
            nowMs));
  }

  private List<String> worries(List<Bound> bounds) {
    List<String> worries = new ArrayList<>();
    recentAlarms()
        .filter(alarm -> nowMs - alarm.lastRaisedAtMs() < ALARM_IS_NEWS.toMillis())
        .forEach(alarm -> worries.add("alarm " + alarm.word()));
    bounds.stream().filter(Bound::isOver).forEach(bound -> worries.add(bound.name() + " is high"));
    long out = (long) meters.sum("sluice_log_partitions_out");
    if (out > 0) {
      worries.add(out + " partitions of the log take no records");
    }
    meters
        .byTag("sluice_owner_silence_seconds", "partition")
        .forEach(
            (partition, silentS) -> {
              if (silentS > SILENT_S) {
                worries.add("partition %s has no owner".formatted(partition));
              }
            });
    if (known != null) {
      long drift = known.shared().reports().values().stream().mapToLong(r -> r.drift()).sum();
      if (drift > 0) {
        worries.add("drift in " + drift + " buckets");
      }
      long shut = known.skus().stream().mapToLong(SkuNow::shut).sum();
      if (shut > 0) {
        worries.add(shut + " buckets are being loaded");
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
    Memory memory = known == null ? null : known.shared().memory();
    return List.of(
        new Bound(
            "backlog",
            meters.sum("sluice_log_backlog_orders"),
            known == null ? 0 : known.backlogMax(),
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
            known == null ? 0 : known.connectionsMax(),
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
    return new JsonObject().put("count", of.count()).put("bounds_ms", bounds).put("counts", counts);
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
                        .put("times", alarm.raised())
                        .put("at", alarm.lastRaisedAtMs())));
  }

  private JsonArray partitions(Known of) {
    Map<String, Double> terms = meters.byTag("sluice_owner_term", "partition");
    Map<String, Double> backlogs =
        meters.byTag("sluice_log_partition_backlog_records", "partition");
    Map<String, Double> silences = meters.byTag("sluice_owner_silence_seconds", "partition");
    Map<String, Double> ages = meters.byTag("sluice_unbooked_age_seconds", "partition");
    JsonArray all = new JsonArray();
    for (int partition = 0; partition < of.heard().partitions(); partition++) {
      String key = String.valueOf(partition);
      JsonObject json =
          new JsonObject()
              .put("partition", partition)
              .put("owner", of.heard().ownerOf(partition))
              .put("term", terms.getOrDefault(key, 0.0).longValue())
              .put("backlog", backlogs.getOrDefault(key, 0.0).longValue())
              .put("silent_s", silences.getOrDefault(key, 0.0))
              .put("unbooked_s", ages.getOrDefault(key, 0.0));
      SharedFacts.Report report = of.shared().reports().get(partition);
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
