package io.sluice.admin;

import static io.sluice.admin.AdminRows.at;

import io.sluice.ledger.Webhooks;
import io.sluice.ledger.Webhooks.Parked;
import io.sluice.ledger.Webhooks.Retried;
import java.time.Duration;
import java.util.List;

/** How the examples of the calls about targets of events are brought about. */
final class WebhookExamples {
  private static final List<String> CALLS =
      List.of("getWebhook", "deleteWebhook", "listWebhookFailures", "replayWebhook");

  private WebhookExamples() {}

  static void add(AdminRows rows) {
    rows.row("listWebhooks 200 none");
    rows.row("putWebhook 201 webhook");
    rows.row("putWebhook 200 webhook", WebhookExamples::put);
    rows.row("getWebhook 200 webhook", WebhookExamples::put);
    rows.row("deleteWebhook 200 deleted", WebhookExamples::put);
    rows.row("listWebhookFailures 200 failed", WebhookExamples::failed);
    rows.row("replayWebhook 200 replayed", WebhookExamples::failed);
    for (String call : CALLS) {
      rows.row(call + " 404 unknown-webhook");
      rows.changed(
          call + " 400 bad-request", valid -> valid.at(valid.path().replace("/shop", "/a%20b")));
    }
    rows.changed("putWebhook 400 bad-request", at("/admin/webhooks/a%20b"));
    rows.row(
        "putWebhook 409 webhooks-full",
        port -> {
          for (int i = 0; i < Webhooks.TARGETS_MAX; i++) {
            AdminCalls.of("putWebhook")
                .at("/admin/webhooks/target-" + i)
                .send(port, AdminCalls.OLGA);
          }
        });
    rows.rows()
        .row(
            "putWebhook 409 mode-unavailable",
            () -> {
              try (AdminPortFixture port = new AdminPortFixture(AdminCalls.CONFIG)) {
                port.events = null;
                return AdminCalls.of("putWebhook").send(port.serving(), AdminCalls.OLGA);
              }
            });
  }

  private static void put(AdminPortFixture port) {
    AdminCalls.of("putWebhook").send(port, AdminCalls.OLGA);
  }

  /** An event that was sent 21 times. */
  private static void failed(AdminPortFixture port) {
    put(port);
    port.webhooks.lease("shop", "instance-1", Duration.ofSeconds(1));
    port.webhooks.advance(
        "shop",
        "instance-1",
        "0",
        "1",
        List.of(
            new Parked(
                "msg_Rk6pmQy1FpRYBmVyR6Aq1w",
                "ORDER_BOOKED",
                "7.0.3q2-7wAAAAAAAAAAAAAAAA",
                "{}",
                1,
                Duration.ZERO,
                "answered 500")));
    port.webhooks.settle(
        "shop", "instance-1", List.of(), List.of(new Retried(1, 21, null, "answered 500")));
  }
}
