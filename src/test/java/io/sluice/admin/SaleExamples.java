package io.sluice.admin;

import static io.sluice.admin.AdminRows.at;

import io.sluice.ledger.Put.Fault;
import io.sluice.ledger.SaleLedger.ChangeResult;
import io.sluice.ledger.SaleLedger.DeleteResult;
import io.sluice.ledger.SaleLedger.Joined;
import io.sluice.ledger.SaleLedger.PutResult;
import io.sluice.ledger.SaleLedger.Seen;
import io.sluice.ledger.SaleLedger.SkuFault;
import io.sluice.ledger.SaleLedger.StateTotals;
import io.sluice.ledger.SkuLedger;
import io.sluice.model.Sale;
import io.sluice.model.Sales;
import io.sluice.model.SkuState;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Those examples of the management port's contract that are about sales. */
record SaleExamples(AdminRows rows) {
  private static final Sale SALE = FakeSales.SALE;
  private static final Seen SEEN = new Seen(SALE, AdminPortFixture.NOW.toEpochMilli());
  private static final List<String> CHANGES =
      List.of("openSale", "closeSale", "followSale", "freezeSale", "unfreezeSale");
  private static final int BODY_MAX = 256 * 1024;

  static void add(AdminRows rows) {
    SaleExamples examples = new SaleExamples(rows);
    examples.looks();
    examples.puts();
    examples.refusedPuts();
    examples.changes();
    examples.ends();
    examples.deletions();
    examples.skus();
  }

  private void looks() {
    rows.row("listSales 200 last-page", port -> port.sales.page = List.of(SEEN));
    rows.changed("listSales 400 bad-request", at("/admin/sales?after=a%20b"));
    rows.row(
        "getSale 200 scheduled",
        port -> {
          port.sales.seen = Optional.of(SEEN);
          port.sales.skus = List.of(FakeSales.sku(1001));
          port.sales.totals = List.of(new StateTotals(SkuState.SCHEDULED, 1, 0, 500, 30, 20));
        });
    rows.changed("getSale 400 bad-request", at("/admin/sales/phones-12?limit=0"));
    rows.row("getSale 404 unknown-sale");
    rows.row("getSaleReport 200 after-an-hour", SaleExamples::report);
    rows.changed("getSaleReport 400 bad-request", at("/admin/sales/phones-12/report?format=pdf"));
    rows.row("getSaleReport 404 unknown-sale");
  }

  static void report(AdminPortFixture port) {
    port.sales.seen = Optional.of(FakeHistory.SEEN);
    port.sales.skus = List.of(FakeSales.sku(1001));
    port.history.sold();
  }

  private void puts() {
    put(
        "200 kept",
        new PutResult.Done(SALE, false, Map.of(1001L, Joined.KEPT), List.of("closes_at")));
    put("201 created", new PutResult.Done(SALE, true, Map.of(1001L, Joined.CREATED), List.of()));
    rows.row(
        "putSale 202 recorded",
        port -> {
          port.sales.putResult =
              Future.succeededFuture(
                  new PutResult.Done(SALE, true, Map.of(1001L, Joined.CREATED), List.of()));
          cannotFollow(port);
        });
  }

  /** The SKUs cannot take over now. */
  private static void cannotFollow(AdminPortFixture port) {
    port.sales.takeOvers.clear();
    port.sales.takeOvers.add(Future.failedFuture("planted"));
  }

  private void put(String answer, PutResult result) {
    rows.row("putSale " + answer, port -> port.sales.putResult = Future.succeededFuture(result));
  }

  private void refusedPuts() {
    put("409 in-use", new PutResult.Refused(List.of(new SkuFault.InUse(1001, "tablets-12"))));
    put(
        "409 setting-fixed",
        new PutResult.Refused(List.of(new SkuFault.Fixed(1001, "total_stock", "400", "500"))));
    put("409 sale-full", new PutResult.Full(10_000, 10_001));
    put("400 bad-request", new PutResult.Invalid("closes_at", Fault.PASSED));
    put("412 changed-since", new PutResult.Moved(true));
    rows.changed("putSale 413 content-too-large", call -> call.with(" ".repeat(BODY_MAX + 1)));
    rows.ask(
        "putSale 415 unsupported-media-type", port -> AdminCalls.of("putSale").sendUntyped(port));
  }

  private void changes() {
    for (String change : CHANGES) {
      change(change + " 200 sale", new ChangeResult.Done(SALE));
      change(change + " 202 recorded", new ChangeResult.Done(SALE), SaleExamples::cannotFollow);
      change(change + " 404 unknown-sale", new ChangeResult.Unknown());
    }
    for (String change : List.of("openSale", "closeSale", "followSale", "endSale")) {
      change(change + " 409 sale-frozen", new ChangeResult.IsFrozen());
    }
    for (String change : CHANGES) {
      change(change + " 409 ending", new ChangeResult.IsEnding());
      change(change + " 412 changed-since", new ChangeResult.Moved());
    }
  }

  private void ends() {
    change("endSale 200 ended", in(SkuState.ENDED));
    change("endSale 202 ending", in(SkuState.ENDING));
    change("archiveSale 200 archived", in(SkuState.ARCHIVED));
    change("archiveSale 202 ended", in(SkuState.ENDED));
    change("archiveSale 409 not-ended", new ChangeResult.NotEnded());
    for (String call : List.of("endSale", "archiveSale")) {
      change(call + " 404 unknown-sale", new ChangeResult.Unknown());
      change(call + " 412 changed-since", new ChangeResult.Moved());
    }
    put("409 ending", new PutResult.IsEnding());
  }

  private void deletions() {
    delete("200 deleted", new DeleteResult.Done());
    delete("404 unknown-sale", new DeleteResult.Unknown());
    delete("409 not-ended", new DeleteResult.NotEnded());
    delete("409 has-orders", new DeleteResult.HasOrders(1001));
    delete("409 in-use", new DeleteResult.GoneOn(1001, "tablets-12"));
  }

  private void delete(String answer, DeleteResult result) {
    rows.row(
        "deleteSale " + answer,
        port -> {
          port.sales.deletes.clear();
          port.sales.deletes.add(Future.succeededFuture(result));
        });
  }

  private static ChangeResult in(SkuState state) {
    return new ChangeResult.Done(Sales.in(state, 2, 2, SALE));
  }

  private void change(String key, ChangeResult result) {
    change(key, result, port -> {});
  }

  private void change(String key, ChangeResult result, Consumer<AdminPortFixture> also) {
    rows.row(
        key,
        port -> {
          port.sales.changeResult = Future.succeededFuture(result);
          also.accept(port);
        });
  }

  /** What a SKU of a sale refuses. */
  private void skus() {
    rows.row(
        "putSku 409 in-sale",
        port ->
            port.ledger.putResult =
                Future.succeededFuture(
                    new SkuLedger.PutResult.InSale("phones-12", "limit_per_user")));
    for (String change : List.of("openSku", "unfreezeSku")) {
      rows.row(
          change + " 409 in-sale",
          port ->
              port.ledger.changeResult =
                  Future.succeededFuture(new SkuLedger.ChangeResult.InSale("phones-12")));
    }
  }
}
