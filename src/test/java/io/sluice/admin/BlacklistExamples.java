package io.sluice.admin;

import io.sluice.admin.AdminCalls.Call;
import io.sluice.openapi.ExampleRows;
import io.sluice.web.HttpProbe.Answer;
import java.util.List;

/** How the examples of the calls about banned buyers are brought about. */
final class BlacklistExamples {
  private BlacklistExamples() {}

  static void add(ExampleRows rows) {
    rows.row(
        "getBan 200 banned",
        () -> {
          try (AdminPortFixture port = serving()) {
            AdminCalls.of("banBuyer").send(port, AdminCalls.OLGA);
            return AdminCalls.of("getBan").send(port, AdminCalls.OLGA);
          }
        });
    rows.row("getBan 404 not-blacklisted", () -> sent(AdminCalls.of("getBan")));
    rows.row("banBuyer 200 banned", () -> sent(AdminCalls.of("banBuyer")));
    rows.row("liftBan 200 lifted", () -> sent(AdminCalls.of("liftBan")));
    for (String operation : List.of("banBuyer", "liftBan")) {
      rows.row(
          operation + " 412 changed-since",
          () -> {
            try (AdminPortFixture port = serving()) {
              AdminCalls.of("banBuyer").send(port, AdminCalls.OLGA);
              return AdminCalls.of(operation).send(port, AdminCalls.OLGA, "If-Match", "\"a\"");
            }
          });
    }
    for (String operation : List.of("getBan", "banBuyer", "liftBan")) {
      Call hostile = AdminCalls.of(operation).at("/admin/blacklist/a%20b");
      rows.row(operation + " 400 bad-request", () -> sent(hostile));
    }
  }

  private static Answer sent(Call call) {
    try (AdminPortFixture port = serving()) {
      return call.send(port, AdminCalls.OLGA);
    }
  }

  private static AdminPortFixture serving() {
    return new AdminPortFixture(AdminCalls.CONFIG).serving();
  }
}
