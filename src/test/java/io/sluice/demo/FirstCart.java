package io.sluice.demo;

import io.sluice.testkit.mysql.LedgerReader;
import io.sluice.testkit.process.Screen;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.HttpCaller;
import io.sluice.testkit.site.SaleBodies;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;

/** One order of two SKUs, in a sale of its own before the rush: all of it, or nothing. */
record FirstCart(SluiceProcess service, HttpCaller caller, Runnable pause) {
  static final List<Long> SKUS = List.of(2001L, 2002L);

  private static final String SALE = "bundles-12";
  private static final int STOCK = 10;
  private static final List<Integer> UNITS = List.of(1, 2);
  private static final Buyer BUYER = Buyer.named("early-bird");
  private static final Duration LIMIT = Duration.ofSeconds(20);

  /** Sells it; returns once it is paid and the ledger has all lines of it. */
  void sell(Screen screen, LedgerReader ledger) {
    JsonObject stock = new JsonObject().put("total_stock", STOCK);
    JsonObject sale = SaleBodies.of("Singles' day, bundles", SKUS, stock).put("carts", true);
    yes(Call.put(service.adminUrl() + "/admin/sales/" + SALE).json(sale));
    Answer granted = yes(order());
    Answer again = yes(order());
    Answer paid = yes(Call.post(orders() + "/" + granted.token() + "/confirm"));
    boolean isOne =
        again.token().equals(granted.token())
            && paid.brief().equals("200 CONFIRMED")
            && sold(ledger).equals(UNITS.stream().map(Integer::longValue).toList());
    if (!isOne) {
      throw new DemoException("the cart was not sold as one order: " + paid.body());
    }
    screen.line(
        "  %-10s one order of %d units in %d SKUs: granted, asked for again, paid, booked as one",
        "cart", UNITS.stream().mapToInt(Integer::intValue).sum(), SKUS.size());
  }

  private Call order() {
    return Call.post(orders())
        .as(BUYER)
        .header("Idempotency-Key", "demo")
        .json(new JsonObject().put("lines", lines()));
  }

  private String orders() {
    return service.url() + "/v1/orders";
  }

  private static JsonArray lines() {
    JsonArray lines = new JsonArray();
    for (int i = 0; i < SKUS.size(); i++) {
      lines.add(new JsonObject().put("sku_id", SKUS.get(i)).put("qty", UNITS.get(i)));
    }
    return lines;
  }

  private static List<Long> sold(LedgerReader ledger) {
    return SKUS.stream().map(sku -> Audit.view(ledger, sku).sold()).toList();
  }

  /** The answer, once it is known: 202 and 503 ask for the same call again. */
  private Answer yes(Call call) {
    long endNs = System.nanoTime() + LIMIT.toNanos();
    Answer answer = caller.ask(call);
    while ((answer.status() == 202 || answer.status() == 503) && System.nanoTime() < endNs) {
      pause.run();
      answer = caller.ask(call);
    }
    if (!answer.isYes() || answer.status() == 202) {
      throw new DemoException("the service does not sell a cart: " + answer.body());
    }
    return answer;
  }
}
