package io.sluice.admin;

import io.sluice.admin.AdminCalls.Call;
import io.sluice.openapi.ExampleRows;
import io.sluice.web.HttpProbe.Answer;

/** How the examples of the events of direct SKUs are brought about. */
final class EventExamples {
  private EventExamples() {}

  static void add(ExampleRows rows) {
    Call list = AdminCalls.of("listEvents");
    rows.row("listEvents 200 none", () -> sent(list));
    rows.row("listEvents 400 bad-request", () -> sent(list.at("/admin/events?limit=501")));
    rows.row(
        "listEvents 409 mode-unavailable",
        () -> {
          try (AdminPortFixture port = new AdminPortFixture(AdminCalls.CONFIG)) {
            port.events = null;
            return list.send(port.serving(), AdminCalls.OLGA);
          }
        });
  }

  private static Answer sent(Call call) {
    try (AdminPortFixture port = new AdminPortFixture(AdminCalls.CONFIG).serving()) {
      return call.send(port, AdminCalls.OLGA);
    }
  }
}
