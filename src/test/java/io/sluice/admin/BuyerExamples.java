package io.sluice.admin;

import static io.sluice.admin.AdminRows.at;

import io.sluice.ledger.SkuLedger.Forgotten;
import io.vertx.core.Future;
import java.util.List;

/** How the examples of the calls about buyers are brought about. */
final class BuyerExamples {
  private static final String PSEUDONYM = "forgotten-AAAAAAAAAAAAAAAAAAAAAA";

  private BuyerExamples() {}

  static void add(AdminRows rows) {
    rows.ask(
        "getBan 200 banned",
        port -> {
          AdminCalls.of("banBuyer").send(port, AdminCalls.OLGA);
          return AdminCalls.of("getBan").send(port, AdminCalls.OLGA);
        });
    rows.row("getBan 404 not-blacklisted");
    rows.row("banBuyer 200 banned");
    rows.row("liftBan 200 lifted");
    for (String operation : List.of("banBuyer", "liftBan")) {
      rows.ask(
          operation + " 412 changed-since",
          port -> {
            AdminCalls.of("banBuyer").send(port, AdminCalls.OLGA);
            return AdminCalls.of(operation).send(port, AdminCalls.OLGA, "If-Match", "\"a\"");
          });
    }
    for (String operation : List.of("getBan", "banBuyer", "liftBan")) {
      rows.changed(operation + " 400 bad-request", at("/admin/blacklist/a%20b"));
    }
    forget(rows, "200 forgotten", new Forgotten(PSEUDONYM, 3, 1, true));
    forget(rows, "202 under-way", new Forgotten(PSEUDONYM, 2, 0, false));
    rows.changed("forgetBuyer 400 bad-request", at("/admin/buyers/a%20b/forget"));
  }

  private static void forget(AdminRows rows, String answer, Forgotten result) {
    rows.row(
        "forgetBuyer " + answer, port -> port.ledger.forgets.add(Future.succeededFuture(result)));
  }
}
