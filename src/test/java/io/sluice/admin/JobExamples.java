package io.sluice.admin;

import static io.sluice.admin.AdminRows.at;

import io.sluice.ledger.OrderJob;
import io.sluice.ledger.OrderJob.Action;
import io.sluice.ledger.OrderJob.State;
import io.sluice.ledger.SaleLedger.Seen;
import java.util.Optional;

/** How the examples of the calls about jobs are brought about. */
final class JobExamples {
  private JobExamples() {}

  static void add(AdminRows rows) {
    rows.row("listJobs 200 running", port -> has(port, State.RUNNING, 150));
    rows.changed("listJobs 400 bad-request", at("/admin/jobs?state=OVER"));
    rows.row("getJob 200 running", port -> has(port, State.RUNNING, 150));
    rows.row("getJob 404 unknown-job");
    rows.row("putJob 200 done", port -> has(port, State.DONE, 1_200));
    rows.row("putJob 202 running", port -> has(port, State.RUNNING, 150));
    rows.row(
        "putJob 400 bad-request", port -> {}, call -> call.with("{\"action\":\"refund-paid\"}"));
    rows.row("putJob 404 unknown-sale");
    rows.row(
        "putJob 404 unknown-sku",
        port -> {},
        call -> call.with("{\"action\":\"refund-paid\",\"sku_id\":7}"));
    rows.row(
        "putJob 409 key-mismatch",
        port -> {
          knowsSale(port);
          port.sales.jobs.start(OrderJob.wanted("rain", Action.CANCEL_UNPAID, "", 7, "olga"));
        });
    rows.row("stopJob 200 stopped", port -> has(port, State.RUNNING, 150));
    rows.row("stopJob 404 unknown-job");
  }

  private static void has(AdminPortFixture port, State state, long changed) {
    knowsSale(port);
    port.sales.jobs.put(
        new OrderJob(
            "rain",
            Action.REFUND_PAID,
            "phones-12",
            0,
            "olga",
            AdminPortFixture.NOW.toEpochMilli(),
            state,
            changed,
            0,
            0,
            "",
            1));
  }

  private static void knowsSale(AdminPortFixture port) {
    port.sales.seen = Optional.of(new Seen(FakeSales.SALE, AdminPortFixture.NOW.toEpochMilli()));
  }
}
