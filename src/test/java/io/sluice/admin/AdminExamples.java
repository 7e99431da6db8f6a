package io.sluice.admin;

import static io.sluice.admin.AdminRows.at;
import static io.sluice.web.HttpProbe.eventually;

import io.sluice.admin.AdminCalls.Call;
import io.sluice.ledger.Audit;
import io.sluice.ledger.Ledger.Correction;
import io.sluice.ledger.LedgerUnavailableException;
import io.sluice.ledger.Put.Fault;
import io.sluice.ledger.SkuLedger.ArchiveResult;
import io.sluice.ledger.SkuLedger.ChangeResult;
import io.sluice.ledger.SkuLedger.DeleteResult;
import io.sluice.ledger.SkuLedger.PutResult;
import io.sluice.ledger.SkuLedger.RestockResult;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.ledger.rules.SkuRules;
import io.sluice.model.Sku;
import io.sluice.model.SkuState;
import io.sluice.openapi.ContractFile;
import io.sluice.openapi.ExampleRows;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** How the examples of the management port's contract are brought about. */
final class AdminExamples implements AutoCloseable {
  private static final Sku SKU = FakeLedger.sku(7, 1);
  private static final List<String> CHANGES =
      List.of("openSku", "closeSku", "followSku", "freezeSku", "unfreezeSku");
  private static final String REPORT =
      "{\"partition\":%d,\"at\":1795248000000,\"compared\":3,\"passed_over\":{%s},\"drift\":0,\"drift_in\":[],"
          + "\"units\":{\"free\":70,\"held\":10,\"sold\":20}}";
  private static final int REQUESTS_MAX = 100;

  /** Shorter than a connection without traffic is kept. */
  private static final Duration FILLED_FOR = Duration.ofSeconds(30);

  private final ContractFile contract;
  private final AdminPortFixture sound = new AdminPortFixture(AdminCalls.CONFIG).serving();
  private final AdminPortFixture broken =
      new AdminPortFixture(AdminCalls.CONFIG).failing(new IllegalStateException("planted"));
  private final AdminPortFixture away =
      new AdminPortFixture(AdminCalls.CONFIG)
          .failing(new LedgerUnavailableException("planted", null));
  private AdminPortFixture full = filled();
  private long filledNanos = System.nanoTime();

  AdminExamples(ContractFile contract) {
    this.contract = contract;
  }

  /** A port with as many requests in flight as it takes. It closes those that idle for long. */
  private AdminPortFixture full() {
    if (System.nanoTime() - filledNanos > FILLED_FOR.toNanos()) {
      full.close();
      full = filled();
      filledNanos = System.nanoTime();
    }
    return full;
  }

  private static AdminPortFixture filled() {
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
    ExampleRows all = new ExampleRows(contract);
    forAll(all);
    bodies(all);
    AdminRows rows = new AdminRows(all);
    health(rows);
    rows.changed("getPageFile 404 not-found", at("/page/another.js"));
    rows.changed("getProblem 404 not-found", at("/problems/none"));
    skus(rows);
    puts(rows);
    restocks(rows);
    changes(rows);
    archives(rows);
    deletions(rows);
    partitions(rows);
    SaleExamples.add(rows);
    OrderExamples.add(rows);
    BuyerExamples.add(rows);
    JobExamples.add(rows);
    WebhookExamples.add(rows);
    return all;
  }

  /** What is answered in the same way by many calls. */
  private void forAll(ExampleRows rows) {
    rows.examples()
        .forEach(
            key -> {
              Call call = AdminRows.callOf(key);
              switch (key.substring(key.indexOf(' ') + 1)) {
                case "401 unauthorized" -> rows.row(key, () -> call.send(sound, ""));
                case "403 forbidden" -> rows.row(key, () -> call.send(sound, AdminCalls.MIA));
                case "500 internal" -> rows.row(key, () -> call.send(broken, AdminCalls.OLGA));
                case "503 busy" -> rows.row(key, () -> call.send(full(), AdminCalls.OLGA));
                case "503 unavailable" -> rows.row(key, () -> call.send(away, AdminCalls.OLGA));
                default -> {
                  // A row of its own, below.
                }
              }
            });
  }

  private static void health(AdminRows rows) {
    rows.row("isAlive 200 alive");
    rows.row(
        "isReady 200 ready",
        port -> {
          port.readiness.report("mysql", true, "connected");
          port.readiness.report("redis", true, "connected");
        });
    rows.row("isReady 503 not-ready", port -> port.readiness.report("redis", true, "connected"));
  }

  private static void skus(AdminRows rows) {
    rows.row("listSkus 200 last-page", port -> port.ledger.has(SKU));
    rows.changed("listSkus 400 bad-request", at("/admin/skus?limit=1001"));
    rows.row(
        "getSku 200 sound",
        port -> {
          port.ledger.has(SKU);
          port.ledger.auditResult =
              Future.succeededFuture(Optional.of(new Audit(7, 1, 100, 30, 20, 100, 30, 20)));
        });
    rows.row(
        "getSku 200 without-redis",
        port -> {
          port.ledger.has(SKU);
          port.stock.snapshots = bucket -> Future.failedFuture("planted");
          port.ledger.auditResult = Future.failedFuture("planted");
        });
    rows.row("getSku 404 unknown-sku");
  }

  private static void puts(AdminRows rows) {
    put(rows, "200 sku", new PutResult.Done(SKU, false, List.of("limit_per_user")));
    put(rows, "201 sku", new PutResult.Done(SKU, true));
    put(rows, "409 setting-fixed", new PutResult.TotalFixed(1000, 1050, 2000, true));
    put(rows, "409 ending", new PutResult.IsEnding());
    put(rows, "409 mode-unavailable", new PutResult.NoMode());
    put(rows, "400 bad-request", new PutResult.Invalid("total_stock", Fault.MISSING));
    put(rows, "412 changed-since", new PutResult.Moved(true));
  }

  private static void put(AdminRows rows, String answer, PutResult result) {
    rows.row("putSku " + answer, port -> port.ledger.putResult = done(result));
  }

  private static <T> Future<T> done(T result) {
    return Future.succeededFuture(result);
  }

  private static void restocks(AdminRows rows) {
    restock(rows, "200 sku", new RestockResult.Done(SKU));
    restock(rows, "404 unknown-sku", new RestockResult.Unknown());
    restock(rows, "409 not-enough-unsold", new RestockResult.Refused(3));
    restock(rows, "409 key-mismatch", new RestockResult.Mismatch(60));
    restock(rows, "409 ending", new RestockResult.IsEnding());
    restock(rows, "412 changed-since", new RestockResult.Moved());
    rows.changed(
        "restockSku 400 bad-request", call -> call.with("{\"restock_id\":\"r1\",\"qty\":0}"));
  }

  private static void restock(AdminRows rows, String answer, RestockResult result) {
    rows.row("restockSku " + answer, port -> port.ledger.restocks.add(done(result)));
  }

  private static void changes(AdminRows rows) {
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
    rows.row(
        "rebuildSku 200 sku",
        port -> {
          port.ledger.has(SKU);
          port.ledger.answers.add(Optional.of("{}"));
        });
    rows.row("rebuildSku 404 unknown-sku");
  }

  private static void change(AdminRows rows, String key, ChangeResult result) {
    rows.row(key, port -> port.ledger.changeResult = done(result));
  }

  private static void archives(AdminRows rows) {
    archive(rows, "200 archived", new ArchiveResult.Done(in(SkuState.ARCHIVED)));
    archive(rows, "202 ended", new ArchiveResult.Working(in(SkuState.ENDED)));
    archive(rows, "404 unknown-sku", new ArchiveResult.Unknown());
    archive(rows, "409 not-ended", new ArchiveResult.NotEnded(in(SkuState.OPEN)));
  }

  private static void deletions(AdminRows rows) {
    delete(rows, "200 deleted", new DeleteResult.Done());
    delete(rows, "404 unknown-sku", new DeleteResult.Unknown());
    delete(rows, "409 not-ended", new DeleteResult.NotEnded());
    delete(rows, "409 has-orders", new DeleteResult.HasOrders());
  }

  private static void delete(AdminRows rows, String answer, DeleteResult result) {
    rows.row("deleteSku " + answer, port -> port.ledger.deleteResult = done(result));
  }

  private static Sku in(SkuState state) {
    return SKU.with(SKU.settings(), state, state, SKU.membership());
  }

  private static void archive(AdminRows rows, String answer, ArchiveResult result) {
    rows.row("archiveSku " + answer, port -> port.ledger.archives.add(done(result)));
  }

  private static void partitions(AdminRows rows) {
    rows.row(
        "reconcile 200 agrees",
        port -> {
          for (int partition = 0; partition < AdminPortFixture.PARTITIONS; partition++) {
            port.ledger.answers.add(Optional.of(REPORT.formatted(partition, "")));
          }
        });
    rows.row(
        "getDrift 200 one-correction",
        port -> {
          port.ledger.reports.put(2, REPORT.formatted(2, "\"away\":1"));
          port.owners.correct(new Correction("1001:0", "{\"taken\":2}", "{\"taken\":1}", "so", 0));
        });
    reset(rows, "200 to-the-end", 0, 7);
    reset(rows, "200 to-the-begin", 50, 70);
    reset(rows, "409 nothing-to-reset", 0, 20);
    rows.changed("resetPartition 404 not-found", at("/admin/partitions/4/reset"));
  }

  private static void reset(AdminRows rows, String answer, long begin, long end) {
    rows.row(
        "resetPartition " + answer,
        port -> {
          port.owners.reset(1, 20);
          port.logBegin = done(begin);
          port.logEnd = done(end);
        });
  }

  private void bodies(ExampleRows rows) {
    for (String operation : List.of("putSku", "restockSku", "banBuyer", "putJob", "putWebhook")) {
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
