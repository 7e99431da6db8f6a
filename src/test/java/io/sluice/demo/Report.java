package io.sluice.demo;

import io.sluice.testkit.process.Screen;
import java.time.Duration;

/** The table at the end, and commands to try next. */
record Report(Screen screen) {
  private static final String RULE = "  " + "-".repeat(44);
  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

  void print(Tally tally, Audit audit, Duration took) {
    screen.line("");
    screen.line("  What happened");
    screen.line(RULE);
    count("requests for a unit", tally.requests());
    count("granted", tally.granted());
    count("same request again, same answer", tally.repeated());
    tally.refused().forEach((problem, times) -> count("refused: " + problem, times));
    screen.line(RULE);
    count("orders confirmed (paid)", audit.confirmed());
    count("orders canceled by their buyer", audit.canceledByBuyer());
    count("orders canceled by timeout", audit.canceledByTimeout());
    screen.line(RULE);
    count("units in total", audit.ledger().total());
    count("units sold", audit.ledger().sold());
    count("units available, by the ledger", audit.ledger().available());
    count("units available, by Redis", audit.availableInRedis());
    screen.line(RULE);
    count("oversold", audit.oversold());
    count("stranded", audit.stranded());
    count("drift between Redis and ledger", audit.drift());
    count("yes without an order", audit.lost());
    count("same request, other answer", tally.contradictions());
    screen.line(RULE);
    screen.line("  %-34s %,9.0f", "requests per second", tally.requests() / seconds(took));
    screen.line("  %-34s %7.1f ms", "half of them answered within", millis(tally, 0.50));
    screen.line("  %-34s %7.1f ms", "99 % of them answered within", millis(tally, 0.99));
    screen.line("  %-34s %,9d", "processors shared by everything", PROCESSORS);
    screen.line("");
  }

  void printNextSteps(long stillAvailable) {
    screen.line(
        "  Sluice keeps serving until Ctrl-C; %s shows it. In another terminal, try:",
        Audience.page());
    screen.line("");
    if (stillAvailable == 0) {
      screen.line("  # all units are sold: add ten");
      screen.line(
          "  curl -s -X POST localhost:8081/admin/skus/%d/restock -H 'Content-Type: application/json'"
              + " -d '{\"restock_id\":\"ten-more\",\"qty\":10}'",
          Shop.SKUS.get(0));
      screen.line("");
    }
    screen.line("  # order a unit (repeat it: the same order)");
    screen.line(
        "  ORDER=$(curl -s -X POST localhost:8080/v1/orders -H 'X-User-Id: you'"
            + " -H 'Content-Type: application/json' -d '{\"sku_id\":%d,\"qty\":1}'); echo \"$ORDER\"",
        Shop.SKUS.get(0));
    screen.line("");
    screen.line("  # pay for it");
    screen.line(
        "  curl -s -X POST localhost:8080/v1/orders/$(echo \"$ORDER\""
            + " | sed 's/.*order_token\":\"\\([^\"]*\\).*/\\1/')/confirm");
    screen.line("");
    screen.line("  # order units of two SKUs together: all of them, or none");
    screen.line(
        "  curl -s -X POST localhost:8080/v1/orders -H 'X-User-Id: you' -H 'Content-Type: application/json'"
            + " -d '{\"lines\":[{\"sku_id\":%d,\"qty\":1},{\"sku_id\":%d,\"qty\":2}]}'",
        FirstCart.SKUS.get(0), FirstCart.SKUS.get(1));
    screen.line("");
    screen.line("  # look at the SKU: Redis and ledger side by side");
    screen.line("  curl -s localhost:8081/admin/skus/%d", Shop.SKUS.get(0));
    screen.line("");
    screen.line(
        "  # look at the sale, end it (repeat it until it says ENDED), move its orders to the archive");
    screen.line("  curl -s localhost:8081/admin/sales/%s", Shop.SALE);
    screen.line("  curl -s -X POST localhost:8081/admin/sales/%s/end", Shop.SALE);
    screen.line("  curl -s -X POST localhost:8081/admin/sales/%s/archive", Shop.SALE);
    screen.line("");
  }

  private void count(String what, long number) {
    screen.line("  %-34s %,9d", what, number);
  }

  private static double millis(Tally tally, double share) {
    return tally.percentile(share).toNanos() / 1e6;
  }

  private static double seconds(Duration took) {
    return Math.max(1, took.toMillis()) / 1e3;
  }
}
