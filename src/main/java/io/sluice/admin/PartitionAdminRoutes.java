package io.sluice.admin;

import io.sluice.admin.PartitionOperations.ResetOutcome;
import io.sluice.ledger.Reconciliation.Correction;
import io.sluice.ledger.SkuLedger;
import io.sluice.web.Endpoint;
import io.sluice.web.Exchange;
import io.sluice.web.Guard;
import io.sluice.web.Input;
import io.sluice.web.format.Parameters;
import io.sluice.web.format.Rfc3339;
import io.sluice.web.problem.Problem;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** The operators' calls for partitions: reconciliation reports and resets. */
final class PartitionAdminRoutes {
  private static final int CORRECTIONS_MAX = 100;

  private final Partitions partitions;
  private final SkuLedger ledger;
  private final PartitionOperations operations;
  private final Guard operators;

  PartitionAdminRoutes(
      Partitions partitions, SkuLedger ledger, PartitionOperations operations, Guard operators) {
    this.operators = operators;
    this.partitions = partitions;
    this.ledger = ledger;
    this.operations = operations;
  }

  List<Endpoint> endpoints() {
    return List.of(
        call(HttpMethod.POST, "/admin/reconcile", "admin_reconcile", this::reconcile),
        call(HttpMethod.GET, "/admin/drift", "admin_drift", this::drift),
        call(HttpMethod.POST, "/admin/partitions/:partition/reset", "admin_reset", this::reset));
  }

  private Endpoint call(HttpMethod method, String path, String name, Endpoint.Call call) {
    return new Endpoint(method, path, name, operators, Input.NONE, call);
  }

  private void reconcile(Exchange exchange) {
    exchange.answer(
        operations.reconcile(),
        answers -> {
          Map<Integer, String> reports = new TreeMap<>();
          JsonArray waitingFor = new JsonArray();
          answers.forEach(
              (partition, report) ->
                  report.ifPresentOrElse(
                      told -> reports.put(partition, told), () -> waitingFor.add(partition)));
          exchange.answer(
              waitingFor.isEmpty() ? 200 : 202,
              new JsonObject()
                  .put("reports", json(reports))
                  .put("waiting_for", waitingFor)
                  .toBuffer());
        });
  }

  private void drift(Exchange exchange) {
    Future<Map<Integer, String>> reports = ledger.reports();
    exchange.answer(
        reports.compose(read -> partitions.ledger().corrections(CORRECTIONS_MAX)),
        corrections -> {
          JsonArray made = new JsonArray();
          corrections.forEach(correction -> made.add(json(correction)));
          exchange.answer(
              200,
              new JsonObject()
                  .put("reports", json(new TreeMap<>(reports.result())))
                  .put("corrections", made)
                  .toBuffer());
        });
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

  private void reset(Exchange exchange) {
    Optional<Integer> partition = partition(exchange.pathParam("partition"));
    if (partition.isEmpty()) {
      exchange.answer(Problem.NOT_FOUND);
      return;
    }
    exchange.answer(
        operations.reset(partition.get()),
        outcome -> {
          if (outcome instanceof ResetOutcome.Done done) {
            exchange.answer(200, json(done).toBuffer());
          } else if (outcome instanceof ResetOutcome.No no) {
            exchange.answer(no.problem());
          }
        });
  }

  /**
   * If records were lost, lists them: their grants may still be in Redis, their other commands are
   * gone.
   */
  private static JsonObject json(ResetOutcome.Done done) {
    JsonObject json =
        new JsonObject()
            .put("partition", done.partition())
            .put("next_offset", done.nextOffset())
            .put("was", done.was());
    return done.lostRecords() == 0
        ? json
        : json.put(
            "lost",
            new JsonObject()
                .put("from", done.was())
                .put("to", done.nextOffset() - 1)
                .put("records", done.lostRecords()));
  }

  private Optional<Integer> partition(String text) {
    OptionalLong number = Parameters.wholeNumber(text);
    return number.isPresent() && number.getAsLong() < partitions.count()
        ? Optional.of((int) number.getAsLong())
        : Optional.empty();
  }
}
