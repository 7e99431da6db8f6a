package io.sluice.admin;

import io.sluice.admin.AdminCalls.Call;
import io.sluice.ledger.Put.Fault;
import io.sluice.ledger.SaleLedger.ChangeResult;
import io.sluice.ledger.SaleLedger.Joined;
import io.sluice.ledger.SaleLedger.PutResult;
import io.sluice.ledger.SaleLedger.Seen;
import io.sluice.ledger.SaleLedger.SkuFault;
import io.sluice.ledger.SaleLedger.StateTotals;
import io.sluice.ledger.SkuLedger;
import io.sluice.model.Sale;
import io.sluice.model.SkuState;
import io.sluice.openapi.ExampleRows;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Those examples of the management port's contract that are about sales. */
final class SaleExamples {
  private static final Sale SALE = FakeSales.SALE;
  private static final Seen SEEN = new Seen(SALE, AdminPortFixture.NOW.toEpochMilli());
  private static final List<String> CHANGES =
      List.of("openSale", "closeSale", "followSale", "freezeSale", "unfreezeSale");
  private static final int BODY_MAX = 256 * 1024;

  private final ExampleRows rows;

  private SaleExamples(ExampleRows rows) {
    this.rows = rows;
  }

  static void add(ExampleRows rows) {
    SaleExamples examples = new SaleExamples(rows);
    examples.looks();
    examples.puts();
    examples.refusedPuts();
    examples.changes();
    examples.ends();
    examples.skus();
  }

  private void row(String key, Consumer<AdminPortFixture> given, UnaryOperator<Call> changed) {
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

  private void row(String key, Consumer<AdminPortFixture> given) {
    row(key, given, call -> call);
  }

  private static void nothing(AdminPortFixture port) {}

  private void looks() {
    row("listSales 200 last-page", port -> port.sales.page = List.of(SEEN));
    row("listSales 400 bad-request", SaleExamples::nothing, at("/admin/sales?after=a%20b"));
    row(
        "getSale 200 scheduled",
        port -> {
          port.sales.seen = Optional.of(SEEN);
          port.sales.skus = List.of(FakeSales.sku(1001));
          port.sales.totals = List.of(new StateTotals(SkuState.SCHEDULED, 1, 0, 500, 30, 20));
        });
    row("getSale 400 bad-request", SaleExamples::nothing, at("/admin/sales/phones-12?limit=0"));
    row("getSale 404 unknown-sale", SaleExamples::nothing);
    row("getSaleReport 200 after-an-hour", SaleExamples::report);
    row(
        "getSaleReport 400 bad-request",
        SaleExamples::nothing,
        at("/admin/sales/phones-12/report?format=pdf"));
    row("getSaleReport 404 unknown-sale", SaleExamples::nothing);
  }

  static void report(AdminPortFixture port) {
    port.sales.seen = Optional.of(FakeHistory.SEEN);
    port.sales.skus = List.of(FakeSales.sku(1001));
    port.history.sold();
  }

  private static UnaryOperator<Call> at(String path) {
    return call -> call.at(path);
  }

  private void puts() {
    put(
        "200 kept",
        new PutResult.Done(SALE, false, Map.of(1001L, Joined.KEPT), List.of("closes_at")));
    put("201 created", new PutResult.Done(SALE, true, Map.of(1001L, Joined.CREATED)));
    row(
        "putSale 202 recorded",
        port -> {
          port.sales.putResult =
              Future.succeededFuture(new PutResult.Done(SALE, true, Map.of(1001L, Joined.CREATED)));
          cannotFollow(port);
        });
  }

  /** The SKUs cannot take over now. */
  private static void cannotFollow(AdminPortFixture port) {
    port.sales.takeOvers.clear();
    port.sales.takeOvers.add(Future.failedFuture("planted"));
  }

  private void put(String answer, PutResult result) {
    row("putSale " + answer, port -> port.sales.putResult = Future.succeededFuture(result));
  }

  private void refusedPuts() {
    put("409 in-use", new PutResult.Refused(List.of(new SkuFault.InUse(1001))));
    put(
        "409 setting-fixed",
        new PutResult.Refused(List.of(new SkuFault.Fixed(1001, "total_stock", "400", "500"))));
    put("409 sale-full", new PutResult.Full(10_000, 10_001));
    put("400 bad-request", new PutResult.Invalid("closes_at", Fault.PASSED));
    put("412 changed-since", new PutResult.Moved(true));
    row(
        "putSale 413 content-too-large",
        SaleExamples::nothing,
        call -> call.with(" ".repeat(BODY_MAX + 1)));
    rows.row(
        "putSale 415 unsupported-media-type",
        () -> {
          try (AdminPortFixture port = new AdminPortFixture(AdminCalls.CONFIG).serving()) {
            return AdminCalls.of("putSale").sendUntyped(port);
          }
        });
  }

  private void changes() {
    for (String change : CHANGES) {
      change(change + " 200 sale", new ChangeResult.Done(SALE), SaleExamples::nothing);
      change(change + " 202 recorded", new ChangeResult.Done(SALE), SaleExamples::cannotFollow);
      change(change + " 404 unknown-sale", new ChangeResult.Unknown(), SaleExamples::nothing);
    }
    for (String change : List.of("openSale", "closeSale", "followSale", "endSale")) {
      change(change + " 409 sale-frozen", new ChangeResult.IsFrozen(), SaleExamples::nothing);
    }
    for (String change : CHANGES) {
      change(change + " 409 ending", new ChangeResult.IsEnding(), SaleExamples::nothing);
      change(change + " 412 changed-since", new ChangeResult.Moved(), SaleExamples::nothing);
    }
  }

  private void ends() {
    change("endSale 200 ended", in(SkuState.ENDED), SaleExamples::nothing);
    change("endSale 202 ending", in(SkuState.ENDING), SaleExamples::nothing);
    change("archiveSale 200 archived", in(SkuState.ARCHIVED), SaleExamples::nothing);
    change("archiveSale 202 ended", in(SkuState.ENDED), SaleExamples::nothing);
    change("archiveSale 409 not-ended", new ChangeResult.NotEnded(), SaleExamples::nothing);
    for (String call : List.of("endSale", "archiveSale")) {
      change(call + " 404 unknown-sale", new ChangeResult.Unknown(), SaleExamples::nothing);
      change(call + " 412 changed-since", new ChangeResult.Moved(), SaleExamples::nothing);
    }
    put("409 ending", new PutResult.IsEnding());
  }

  private static ChangeResult in(SkuState state) {
    return new ChangeResult.Done(
        new Sale(
            SALE.saleId(),
            SALE.name(),
            SALE.carts(),
            SALE.terms(),
            state,
            false,
            2,
            2,
            SALE.createdAtMs()));
  }

  private void change(String key, ChangeResult result, Consumer<AdminPortFixture> also) {
    row(
        key,
        port -> {
          port.sales.changeResult = Future.succeededFuture(result);
          also.accept(port);
        });
  }

  /** What a SKU of a sale refuses. */
  private void skus() {
    row(
        "putSku 409 in-sale",
        port ->
            port.ledger.putResult =
                Future.succeededFuture(
                    new SkuLedger.PutResult.InSale("phones-12", "limit_per_user")));
    for (String change : List.of("openSku", "unfreezeSku")) {
      row(
          change + " 409 in-sale",
          port ->
              port.ledger.changeResult =
                  Future.succeededFuture(new SkuLedger.ChangeResult.InSale("phones-12")));
    }
  }
}
