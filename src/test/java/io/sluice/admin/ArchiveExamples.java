package io.sluice.admin;

import io.sluice.admin.AdminCalls.Call;
import io.sluice.ledger.SkuLedger.ArchiveResult;
import io.sluice.ledger.SkuLedger.Forgotten;
import io.sluice.model.Sku;
import io.sluice.model.SkuState;
import io.sluice.openapi.ExampleRows;
import io.sluice.web.HttpProbe.Answer;
import io.vertx.core.Future;
import java.util.function.Consumer;

/** How the examples of the calls about ended sales are brought about. */
final class ArchiveExamples {
  private static final String PSEUDONYM = "forgotten-AAAAAAAAAAAAAAAAAAAAAA";

  private ArchiveExamples() {}

  static void add(ExampleRows rows) {
    archive(rows, "200 archived", new ArchiveResult.Done(sku(SkuState.ARCHIVED)));
    archive(rows, "202 ended", new ArchiveResult.Working(sku(SkuState.ENDED)));
    archive(rows, "404 unknown-sku", new ArchiveResult.Unknown());
    archive(rows, "409 not-ended", new ArchiveResult.NotEnded(sku(SkuState.OPEN)));
    forget(rows, "200 forgotten", new Forgotten(PSEUDONYM, 3, 1, true));
    forget(rows, "202 under-way", new Forgotten(PSEUDONYM, 2, 0, false));
    rows.row(
        "forgetBuyer 400 bad-request",
        () -> sent(AdminCalls.of("forgetBuyer").at("/admin/buyers/a%20b/forget"), port -> {}));
  }

  private static Sku sku(SkuState state) {
    Sku open = FakeLedger.sku(7, 1);
    return new Sku(
        open.skuId(),
        open.firstStock(),
        open.totalStock(),
        open.buckets(),
        open.mode(),
        open.settings(),
        state,
        state,
        open.placement());
  }

  private static void archive(ExampleRows rows, String answer, ArchiveResult result) {
    rows.row(
        "archiveSku " + answer,
        () ->
            sent(
                AdminCalls.of("archiveSku"),
                port -> port.ledger.archives.add(Future.succeededFuture(result))));
  }

  private static void forget(ExampleRows rows, String answer, Forgotten result) {
    rows.row(
        "forgetBuyer " + answer,
        () ->
            sent(
                AdminCalls.of("forgetBuyer"),
                port -> port.ledger.forgets.add(Future.succeededFuture(result))));
  }

  private static Answer sent(Call call, Consumer<AdminPortFixture> given) {
    try (AdminPortFixture port = new AdminPortFixture(AdminCalls.CONFIG).serving()) {
      given.accept(port);
      return call.send(port, AdminCalls.OLGA);
    }
  }
}
