package io.sluice.admin;

import static io.sluice.web.HttpProbe.eventually;

import io.sluice.admin.AdminCalls.Call;
import io.sluice.ledger.Audit;
import io.sluice.ledger.Ledger.Correction;
import io.sluice.ledger.LedgerUnavailableException;
import io.sluice.ledger.Put.Fault;
import io.sluice.ledger.SkuLedger.ChangeResult;
import io.sluice.ledger.SkuLedger.PutResult;
import io.sluice.ledger.SkuLedger.RestockResult;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.ledger.rules.SkuRules;
import io.sluice.model.Sku;
import io.sluice.openapi.ContractFile;
import io.sluice.openapi.ExampleRows;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** How the examples of the management port's contract are brought about. */
final class AdminExamples implements AutoCloseable {
  private static final Sku SKU = FakeLedger.sku(7, 1);
  private static final List<String> CHANGES =
      List.of("openSku", "closeSku", "followSku", "freezeSku", "unfreezeSku");
  private static final String REPORT =
      "{\"partition\":%d,\"at\":1795248000000,\"compared\":3,\"passed_over\":{%s},\"drift\":0,\"drift_in\":[]}";
  private static final int REQUESTS_MAX = 100;

  private final ContractFile contract;
  private final AdminPortFixture sound = new AdminPortFixture(AdminCalls.CONFIG).serving();
  private final AdminPortFixture broken =
      new AdminPortFixture(AdminCalls.CONFIG).failing(new IllegalStateException("planted"));
  private final AdminPortFixture away =
      new AdminPortFixture(AdminCalls.CONFIG)
          .failing(new LedgerUnavailableException("planted", null));
  private final AdminPortFixture full = full();

  AdminExamples(ContractFile contract) {
    this.contract = contract;
  }

  /** A port with as many requests in flight as it takes. */
  private static AdminPortFixture full() {
    AdminPortFixture port = new AdminPortFixture(AdminCalls.CONFIG).serving();
    String[] olga = {"Authorization", "Bearer " + AdminCalls.OLGA};
    port.ledger.changeResult = Promise.<ChangeResult>promise().future();
    for (int i = 0; i < REQUESTS_MAX; i++) {
      port.probe.occupy("POST", "/admin/skus/7/open", olga);
    }
    eventually(() -> port.probe.get("/admin/drift", olga).status() == 503);
    port.watchedByAsManyAsMay(olga);
    return port;
  }

  ExampleRows rows() {
    ExampleRows rows = new ExampleRows(contract);
    forAll(rows);
    health(rows);
    row(rows, "getPageFile 404 not-found", port -> {}, call -> call.at("/page/another.js"));
    skus(rows);
    puts(rows);
    restocks(rows);
    changes(rows);
    SaleExamples.add(rows);
    partitions(rows);
    OrderExamples.add(rows);
    BlacklistExamples.add(rows);
    EventExamples.add(rows);
    ArchiveExamples.add(rows);
    bodies(rows);
    return rows;
  }

  /** What is answered in the same way by many calls. */
  private void forAll(ExampleRows rows) {
    rows.examples()
        .forEach(
            key -> {
              Call call = AdminCalls.of(key.substring(0, key.indexOf(' ')));
              switch (key.substring(key.indexOf(' ') + 1)) {
                case "401 unauthorized" -> rows.row(key, () -> call.send(sound, ""));
                case "403 forbidden" -> rows.row(key, () -> call.send(sound, AdminCalls.MIA));
                case "500 internal" -> rows.row(key, () -> call.send(broken, AdminCalls.OLGA));
                case "503 busy" -> rows.row(key, () -> call.send(full, AdminCalls.OLGA));
                case "503 unavailable" -> rows.row(key, () -> call.send(away, AdminCalls.OLGA));
                default -> {
                  // A row of its own, below.
                }
              }
            });
  }

  private void row(
      ExampleRows rows,
      String key,
      Consumer<AdminPortFixture> given,
      Function<Call, Call> changed) {
    Call call = AdminCalls.of(key.substring(0, key.indexOf(' ')));
    rows.row(
        key,
        () -> {
          try (AdminPortFixture port = new AdminPortFixture(AdminCalls.CONFIG).serving()) {
            given.accept(port);
            return changed.apply(call).send(port, AdminCalls.OLGA);
          }
        });
  }

  private void row(ExampleRows rows, String key, Consumer<AdminPortFixture> given) {
    row(rows, key, given, Function.identity());
  }

  private static void nothing(AdminPortFixture port) {}

  private void health(ExampleRows rows) {
    row(rows, "isAlive 200 alive", AdminExamples::nothing);
    row(
        rows,
        "isReady 200 ready",
        port -> {
          port.readiness.report("mysql", true, "connected");
          port.readiness.report("redis", true, "connected");
        });
    row(rows, "isReady 503 not-ready", port -> port.readiness.report("redis", true, "connected"));
  }

  private void skus(ExampleRows rows) {
    row(rows, "listSkus 200 last-page", port -> port.ledger.has(SKU));
    row(
        rows,
        "listSkus 400 bad-request",
        AdminExamples::nothing,
        call -> call.at("/admin/skus?limit=1001"));
    row(
        rows,
        "getSku 200 sound",
        port -> {
          port.ledger.has(SKU);
          port.ledger.auditResult =
              Future.succeededFuture(Optional.of(new Audit(7, 1, 100, 30, 20, 100, 30, 20)));
        });
    row(
        rows,
        "getSku 200 without-redis",
        port -> {
          port.ledger.has(SKU);
          port.stock.snapshots = bucket -> Future.failedFuture("planted");
        });
    row(rows, "getSku 404 unknown-sku", AdminExamples::nothing);
  }

  private void puts(ExampleRows rows) {
    put(rows, "200 sku", new PutResult.Done(SKU, false, List.of("limit_per_user")));
    put(rows, "201 sku", new PutResult.Done(SKU, true));
    put(rows, "409 setting-fixed", new PutResult.Conflict("total_stock", "1000", "2000"));
    put(rows, "409 ending", new PutResult.IsEnding());
    put(rows, "409 mode-unavailable", new PutResult.NoMode());
    put(rows, "400 bad-request", new PutResult.Invalid("total_stock", Fault.MISSING));
    put(rows, "412 changed-since", new PutResult.Moved(true));
  }

  private void put(ExampleRows rows, String answer, PutResult result) {
    row(rows, "putSku " + answer, port -> port.ledger.putResult = done(result));
  }

  private static <T> Future<T> done(T result) {
    return Future.succeededFuture(result);
  }

  private void restocks(ExampleRows rows) {
    restock(rows, "200 sku", new RestockResult.Done(SKU));
    restock(rows, "404 unknown-sku", new RestockResult.Unknown());
    restock(rows, "409 not-enough-unsold", new RestockResult.Refused(3));
    restock(rows, "409 key-mismatch", new RestockResult.Mismatch(60));
    restock(rows, "409 ending", new RestockResult.IsEnding());
    restock(rows, "412 changed-since", new RestockResult.Moved());
    row(
        rows,
        "restockSku 400 bad-request",
        AdminExamples::nothing,
        call -> call.with("{\"restock_id\":\"r1\",\"qty\":0}"));
  }

  private void restock(ExampleRows rows, String answer, RestockResult result) {
    row(rows, "restockSku " + answer, port -> port.ledger.restocks.add(done(result)));
  }

  private void changes(ExampleRows rows) {
    for (String change : CHANGES) {
      change(rows, change + " 200 sku", new ChangeResult.Done(SKU));
      change(rows, change + " 404 unknown-sku", new ChangeResult.Unknown());
      change(rows, change + " 409 ending", new ChangeResult.IsEnding());
      change(rows, change + " 412 changed-since", new ChangeResult.Moved());
    }
    change(rows, "endSku 412 changed-since", new ChangeResult.Moved());
    for (String change : List.of("openSku", "closeSku", "followSku", "endSku")) {
      change(rows, change + " 409 sku-frozen", new ChangeResult.IsFrozen());
    }
    change(rows, "endSku 200 ended", new ChangeResult.Done(SkuRules.ended(SKU)));
    change(
        rows, "endSku 202 ending", new ChangeResult.Done(SkuRules.change(SKU, StateChange.END, 0)));
    change(rows, "endSku 404 unknown-sku", new ChangeResult.Unknown());
    row(
        rows,
        "rebuildSku 200 sku",
        port -> {
          port.ledger.has(SKU);
          port.ledger.answers.add(Optional.of("{}"));
        });
    row(rows, "rebuildSku 404 unknown-sku", AdminExamples::nothing);
  }

  private void change(ExampleRows rows, String key, ChangeResult result) {
    row(rows, key, port -> port.ledger.changeResult = done(result));
  }

  private void partitions(ExampleRows rows) {
    row(
        rows,
        "reconcile 200 agrees",
        port -> {
          for (int partition = 0; partition < AdminPortFixture.PARTITIONS; partition++) {
            port.ledger.answers.add(Optional.of(REPORT.formatted(partition, "")));
          }
        });
    row(
        rows,
        "getDrift 200 one-correction",
        port -> {
          port.ledger.reports.put(2, REPORT.formatted(2, "\"away\":1"));
          port.owners.correct(new Correction("1001:0", "{\"taken\":2}", "{\"taken\":1}", "so", 0));
        });
    reset(rows, "200 to-the-end", 0, 7);
    reset(rows, "200 to-the-begin", 50, 70);
    reset(rows, "409 nothing-to-reset", 0, 20);
    row(
        rows,
        "resetPartition 404 not-found",
        AdminExamples::nothing,
        call -> call.at("/admin/partitions/4/reset"));
  }

  private void reset(ExampleRows rows, String answer, long begin, long end) {
    row(
        rows,
        "resetPartition " + answer,
        port -> {
          port.owners.reset(1, 20);
          port.logBegin = done(begin);
          port.logEnd = done(end);
        });
  }

  private void bodies(ExampleRows rows) {
    for (String operation : List.of("putSku", "restockSku", "banBuyer")) {
      Call call = AdminCalls.of(operation);
      String large = " ".repeat(16 * 1024 + 1);
      rows.row(
          operation + " 413 content-too-large",
          () -> call.with(large).send(sound, AdminCalls.OLGA));
      rows.row(operation + " 415 unsupported-media-type", () -> call.sendUntyped(sound));
    }
  }

  @Override
  public void close() {
    List.of(sound, broken, away, full).forEach(AdminPortFixture::close);
  }
}
