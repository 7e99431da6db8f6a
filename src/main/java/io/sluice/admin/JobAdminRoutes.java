package io.sluice.admin;

import static io.vertx.core.http.HttpMethod.GET;
import static io.vertx.core.http.HttpMethod.POST;
import static io.vertx.core.http.HttpMethod.PUT;

import io.sluice.admin.AdminCall.Outcome;
import io.sluice.ledger.OrderJob;
import io.sluice.ledger.OrderJob.Action;
import io.sluice.ledger.OrderJob.State;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SkuLedger;
import io.sluice.model.Limits;
import io.sluice.model.ProblemType;
import io.sluice.order.OrderCalls;
import io.sluice.web.Endpoint;
import io.sluice.web.Endpoint.Input;
import io.sluice.web.Exchange;
import io.sluice.web.JsonFields;
import io.sluice.web.Parameters;
import io.sluice.web.Problem;
import io.sluice.web.Problem.BadInputException;
import io.sluice.web.Rfc3339;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The operators' calls for jobs: one command on all orders of a sale or of a SKU. */
record JobAdminRoutes(SaleLedger sales, SkuLedger skus, OrderCalls orders, Operators operators) {
  private static final String JOBS = "/admin/jobs";
  private static final String JOB = JOBS + "/:job_id";
  private static final int PAGE_MAX = 100;
  private static final List<String> FIELDS = List.of("action", "sale_id", "sku_id", "restock");
  private static final Problem UNKNOWN_JOB =
      Problem.of(ProblemType.UNKNOWN_JOB, "Expected the id of a job, but there is none like this");

  List<Endpoint> endpoints() {
    Input list = Input.query("state", "limit");
    Input put = Input.body(FIELDS);
    return List.of(
        AdminCall.of(GET, JOBS, "admin_jobs", operators, list, this::list),
        AdminCall.of(
            GET, JOB, "admin_job", operators, Input.NONE, exchange -> ofJob(exchange, sales::job)),
        AdminCall.of(PUT, JOB, "admin_put_job", operators, put, this::put),
        AdminCall.of(
            POST,
            JOB + "/stop",
            "admin_stop_job",
            operators,
            Input.NONE,
            exchange -> ofJob(exchange, sales::stopJob)));
  }

  private Future<Outcome> list(Exchange exchange) {
    State state =
        Parameters.given(exchange.request(), "state")
            .map(JobAdminRoutes::state)
            .orElse(State.RUNNING);
    return sales
        .jobs(state, AdminCall.limit(exchange, PAGE_MAX))
        .map(
            found ->
                AdminCall.ok(
                    new JsonObject()
                        .put(
                            "jobs",
                            new JsonArray(found.stream().map(JobAdminRoutes::json).toList()))));
  }

  private static State state(String word) {
    return AdminCall.word(State.values(), "state", word, "RUNNING, DONE or STOPPED");
  }

  /** Shows the job of the path as this call leaves it, if it can exist. */
  private static Future<Outcome> ofJob(
      Exchange exchange, Function<String, Future<Optional<OrderJob>>> call) {
    String jobId = exchange.pathParam("job_id");
    return Limits.isSaleId(jobId)
        ? call.apply(jobId).map(JobAdminRoutes::shown)
        : AdminCall.no(UNKNOWN_JOB);
  }

  private static Outcome shown(Optional<OrderJob> job) {
    return job.<Outcome>map(found -> AdminCall.ok(json(found))).orElse(new Outcome.No(UNKNOWN_JOB));
  }

  private Future<Outcome> put(Exchange exchange) {
    OrderJob wanted = wanted(exchange);
    Future<Optional<Problem>> missing =
        wanted.saleId().isEmpty()
            ? skus.sku(wanted.skuId())
                .map(sku -> sku.isPresent() ? Optional.empty() : Optional.of(Problem.UNKNOWN_SKU))
            : sales
                .sale(wanted.saleId())
                .map(
                    sale ->
                        sale.isPresent() ? Optional.empty() : Optional.of(Problem.UNKNOWN_SALE));
    return missing.compose(
        problem ->
            problem.isPresent()
                ? AdminCall.no(problem.get())
                : mayStart(wanted)
                    .compose(
                        may ->
                            may
                                ? sales.startJob(wanted).map(job -> started(wanted, job))
                                : AdminCall.no(Problem.NOT_YET)));
  }

  /** An older instance would not understand a job whose units leave the stock. */
  private Future<Boolean> mayStart(OrderJob wanted) {
    return wanted.action() == Action.WITHDRAW_PAID
        ? orders.mayWithdraw()
        : Future.succeededFuture(true);
  }

  private static Outcome started(OrderJob wanted, OrderJob job) {
    return job.isSameAs(wanted)
        ? new Outcome.Done(job.state() == State.RUNNING ? 202 : 200, "", json(job))
        : new Outcome.No(
            Problem.of(
                ProblemType.KEY_MISMATCH,
                "job_id",
                "Expected what this job_id was used for, %s, but got %s"
                    .formatted(text(job), text(wanted))));
  }

  private static String text(OrderJob job) {
    return job.action().word()
        + (job.action() == Action.WITHDRAW_PAID ? " without restock" : "")
        + (job.saleId().isEmpty() ? " of SKU " + job.skuId() : " of sale " + job.saleId());
  }

  private OrderJob wanted(Exchange exchange) {
    String jobId = exchange.pathParam("job_id");
    if (!Limits.isSaleId(jobId) || Limits.isDots(jobId)) {
      throw new BadInputException(
          "job_id",
          "Expected 1 to %d characters of A-Z, a-z, 0-9 and _.-, but got another"
              .formatted(Limits.SALE_ID_MAX));
    }
    Action action = null;
    String saleId = "";
    long skuId = 0;
    Boolean restock = null;
    try (JsonFields fields = JsonFields.of(exchange.body(), FIELDS)) {
      for (String name = fields.next(); name != null; name = fields.next()) {
        switch (name) {
          case "action" -> action = action(fields);
          case "sale_id" -> saleId = AdminCall.saleId(fields.text());
          case "sku_id" -> skuId = fields.wholeNumber(1, Long.MAX_VALUE);
          case "restock" -> restock = fields.flag();
          default -> throw fields.unknown();
        }
      }
    }
    if (action == null) {
      throw new BadInputException(
          "action", "Expected cancel-unpaid or refund-paid, but it is missing");
    }
    if (restock != null && action != Action.REFUND_PAID) {
      throw new BadInputException(
          "restock", "Expected restock with the action refund-paid alone, but got another");
    }
    if (saleId.isEmpty() == (skuId == 0)) {
      throw new BadInputException(
          "sale_id",
          "Expected either sale_id or sku_id, but got "
              + (skuId == 0 ? "neither of them" : "both of them"));
    }
    Action meant = restock != null && !restock ? Action.WITHDRAW_PAID : action;
    return OrderJob.wanted(jobId, meant, saleId, skuId, operators.name(exchange.request()));
  }

  private static Action action(JsonFields fields) {
    String word = fields.text();
    return Arrays.stream(Action.values())
        .filter(action -> action.word().equals(word))
        .findFirst()
        .orElseThrow(
            () -> fields.wrong("Expected cancel-unpaid or refund-paid, but got another word"));
  }

  private static JsonObject json(OrderJob job) {
    JsonObject json =
        new JsonObject().put("job_id", job.jobId()).put("action", job.action().word());
    if (job.action() != Action.CANCEL_UNPAID) {
      json.put("restock", job.action() == Action.REFUND_PAID);
    }
    if (job.saleId().isEmpty()) {
      json.put("sku_id", job.skuId());
    } else {
      json.put("sale_id", job.saleId());
    }
    return json.put("state", job.state().name())
        .put("changed", job.changed())
        .put("refused", job.refused())
        .put("started_at", Rfc3339.orNull(job.startedAtMs()))
        .put("started_by", job.startedBy());
  }
}
