package io.sluice.admin;

import io.sluice.admin.AdminCall.Outcome;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.Ledger.Correction;
import io.sluice.ledger.SkuLedger;
import io.sluice.model.ProblemType;
import io.sluice.web.Endpoint;
import io.sluice.web.Endpoint.Input;
import io.sluice.web.Exchange;
import io.sluice.web.Exchange.Guard;
import io.sluice.web.Parameters;
import io.sluice.web.Problem;
import io.sluice.web.Rfc3339;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The operators' calls for partitions: reconciliation reports and resets. */
public record PartitionAdminRoutes(
    Partitions partitions, SkuLedger ledger, Operations operations, Guard operators) {
  private static final Logger log = LoggerFactory.getLogger(PartitionAdminRoutes.class);
  private static final int CORRECTIONS_MAX = 100;

  /**
   * The partitions of the order log, as operators' calls need them.
   *
   * @param count of partitions
   * @param logBegin the first offset that a partition still has
   * @param logEnd the offset of a partition's next record
   */
  public record Partitions(
      int count,
      Ledger ledger,
      IntFunction<Future<Long>> logBegin,
      IntFunction<Future<Long>> logEnd) {}

  List<Endpoint> endpoints() {
    return List.of(
        call(HttpMethod.POST, "/admin/reconcile", "admin_reconcile", this::reconcile),
        call(HttpMethod.GET, "/admin/drift", "admin_drift", this::drift),
        call(HttpMethod.POST, "/admin/partitions/:partition/reset", "admin_reset", this::reset));
  }

  private Endpoint call(
      HttpMethod method, String path, String name, Function<Exchange, Future<Outcome>> call) {
    return AdminCall.of(method, path, name, operators, Input.NONE, call);
  }

  private Future<Outcome> reconcile(Exchange exchange) {
    return operations
        .reconcile(partitions.count())
        .map(
            answers -> {
              Map<Integer, String> reports = new TreeMap<>();
              JsonArray waitingFor = new JsonArray();
              answers.forEach(
                  (partition, report) ->
                      report.ifPresentOrElse(
                          told -> reports.put(partition, told), () -> waitingFor.add(partition)));
              return new Outcome.Done(
                  waitingFor.isEmpty() ? 200 : 202,
                  "",
                  new JsonObject().put("reports", json(reports)).put("waiting_for", waitingFor));
            });
  }

  private Future<Outcome> drift(Exchange exchange) {
    return ledger
        .reports()
        .compose(
            reports ->
                partitions
                    .ledger()
                    .corrections(CORRECTIONS_MAX)
                    .map(
                        made ->
                            AdminCall.ok(
                                new JsonObject()
                                    .put("reports", json(new TreeMap<>(reports)))
                                    .put(
                                        "corrections",
                                        new JsonArray(
                                            made.stream()
                                                .map(PartitionAdminRoutes::json)
                                                .toList())))));
  }

  private static JsonArray json(Map<Integer, String> reports) {
    JsonArray all = new JsonArray();
    for (String text : reports.values()) {
      JsonObject report = new JsonObject(text);
      all.add(report.put("at", Rfc3339.orNull(report.getLong("at"))));
    }
    return all;
  }

  private static JsonObject json(Correction correction) {
    return new JsonObject()
        .put("what", correction.what())
        .put("before", correction.before())
        .put("after", correction.after())
        .put("why", correction.why())
        .put("at", Rfc3339.orNull(correction.atMs()));
  }

  // ---- resets

  private record Log(long begin, long end) {}

  /**
   * Unblocks a partition: at the end of its log if the log has lost records that are booked; at its
   * begin if records were deleted before they were booked. Booked orders stay booked; its owner
   * starts again.
   */
  private Future<Outcome> reset(Exchange exchange) {
    OptionalLong number = Parameters.wholeNumber(exchange.pathParam("partition"));
    if (number.isEmpty() || number.getAsLong() >= partitions.count()) {
      return AdminCall.no(Problem.NOT_FOUND);
    }
    int partition = (int) number.getAsLong();
    Future<Long> begin = partitions.logBegin().apply(partition);
    Future<Long> end = partitions.logEnd().apply(partition);
    return Future.join(begin, end)
        .transform(
            asked ->
                asked.succeeded()
                    ? reset(partition, new Log(begin.result(), end.result()))
                    : AdminCall.no(Problem.PART_DOWN));
  }

  /** A partition without a fence was never read; its first owner will find the right offset. */
  private Future<Outcome> reset(int partition, Log span) {
    return partitions
        .ledger()
        .fences()
        .compose(
            fences -> {
              Fence fence = fences.get(partition);
              if (fence != null && span.end() < fence.nextOffset()) {
                return back(fence, span.end());
              }
              return fence != null && span.begin() > fence.nextOffset()
                  ? forward(fence, span)
                  : AdminCall.no(nothing(fence, span));
            });
  }

  private Future<Outcome> back(Fence fence, long end) {
    return partitions
        .ledger()
        .reset(fence.partition(), end)
        .map(
            reset -> {
              log.atWarn()
                  .addKeyValue("partition", fence.partition())
                  .addKeyValue("offset", end)
                  .addKeyValue("was", fence.nextOffset())
                  .log("an operator has reset the partition to the end of its log");
              return AdminCall.ok(json(fence, end));
            });
  }

  /** Lists the lost records: their grants may still be in Redis, their other commands are gone. */
  private Future<Outcome> forward(Fence fence, Log span) {
    long was = fence.nextOffset();
    long to = span.begin() - 1;
    long records = span.begin() - was;
    return partitions
        .ledger()
        .skipLost(fence.partition(), was, span.begin())
        .map(
            skipped -> {
              if (!skipped) {
                return new Outcome.No(nothing(fence, span));
              }
              log.atWarn()
                  .addKeyValue("partition", fence.partition())
                  .addKeyValue("from", was)
                  .addKeyValue("to", to)
                  .addKeyValue("records", records)
                  .log(
                      "an operator has skipped records of the log that were deleted before they"
                          + " were booked");
              JsonObject lost =
                  new JsonObject().put("from", was).put("to", to).put("records", records);
              return AdminCall.ok(json(fence, span.begin()).put("lost", lost));
            });
  }

  private static JsonObject json(Fence fence, long nextOffset) {
    return new JsonObject()
        .put("partition", fence.partition())
        .put("next_offset", nextOffset)
        .put("was", fence.nextOffset());
  }

  private static Problem nothing(@Nullable Fence fence, Log span) {
    return Problem.of(
        ProblemType.NOTHING_TO_RESET,
        "Expected a log that lacks the partition's next offset %d, but it has offsets %d up to %d"
            .formatted(
                fence == null ? span.begin() : fence.nextOffset(), span.begin(), span.end()));
  }
}
