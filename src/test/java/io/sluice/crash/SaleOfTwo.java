package io.sluice.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.crash.TwoSkus.Request;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Two SKUs in one sale after the other: each is put, sells, ends and, where that is wanted, is
 * archived. Every step is a request that may be repeated; buyers and questions go to the survivor.
 */
final class SaleOfTwo {
  /** How far the present sale is. */
  enum Step {
    PUT,
    BUY,
    /** An order of each SKU is paid, and nothing is under way. */
    SOLD,
    ENDING,
    ARCHIVING,
    /** It has ended, and is archived where that is wanted. */
    OVER
  }

  private static final String STOCK =
      "SELECT SUM(allotted - base) FROM inventory_bucket WHERE sku_id = ?";
  private static final String BASE = "SELECT SUM(base) FROM inventory_bucket WHERE sku_id = ?";
  private static final Buyer LATE = Buyer.named("late");

  /** A PUT waits longer than this for an owner that is dead. */
  private static final Duration ASK_LIMIT = Duration.ofSeconds(3);

  private final SaleSite site;
  private final SluiceProcess survivor;
  private final boolean archives;
  private final TwoSkus skus;
  private final List<Request> requests;
  private final Map<Request, String> tokens = new LinkedHashMap<>();
  private final Map<String, JsonObject> answers = new LinkedHashMap<>();
  private final Deque<String> toRefund = new ArrayDeque<>();
  private final Set<String> refunded = new LinkedHashSet<>();
  private JsonObject totals = new JsonObject();
  private Step step = Step.PUT;
  private int number = 1;

  /**
   * @param buyers of each SKU, or of both together
   */
  SaleOfTwo(SaleSite site, SluiceProcess survivor, boolean archives, TwoSkus skus, int buyers) {
    this.site = site;
    this.survivor = survivor;
    this.archives = archives;
    this.skus = skus;
    this.requests = skus.requests(buyers);
  }

  List<Sale> skus() {
    return skus.skus();
  }

  boolean isSold() {
    return step == Step.SOLD;
  }

  boolean isOver() {
    return step == Step.OVER;
  }

  /** Whether an order of a later sale than the first is paid. */
  boolean isSoldAgain() {
    return isSold() && number > 1;
  }

  /** Tries the next step once, as an operator does at this instance. */
  void goOn(SluiceProcess at) {
    switch (step) {
      case PUT -> put(at);
      case BUY -> buy();
      case SOLD, ENDING -> end(at);
      case ARCHIVING -> archive(at);
      case OVER -> {
        number++;
        toRefund.addAll(tokens.values());
        tokens.clear();
        put(at);
      }
    }
  }

  private void put(SluiceProcess at) {
    step = Step.PUT;
    Answer answer = ask(Call.put(url(at)).json(skus.body()));
    if (answer.status() == 200 || answer.status() == 201) {
      step = Step.BUY;
    } else {
      expectOpen(answer);
    }
  }

  /** Survivors may not have heard of the next sale yet. */
  private void buy() {
    for (Request request : requests) {
      if (!tokens.containsKey(request) && !isBought(request)) {
        return;
      }
    }
    JsonObject sum = view().getJsonObject("totals");
    if (sum.getLong("sold") == skus.units(requests.size()) && sum.getLong("held") == 0) {
      totals = sum;
      tokens.values().forEach(token -> answers.put(token, statusOf(token)));
      step = Step.SOLD;
    }
  }

  private boolean isBought(Request request) {
    Answer order = orderOf(request);
    if (!order.isYes() || !request.sku().pay(order.token()).brief().equals("200 CONFIRMED")) {
      return false;
    }
    tokens.put(request, order.token());
    return true;
  }

  private Answer orderOf(Request request) {
    return skus.order(request, id(), key());
  }

  private void end(SluiceProcess at) {
    step = Step.ENDING;
    Answer answer = tell(at, "end");
    if (answer.status() == 200) {
      expectSameTotals();
      step = archives ? Step.ARCHIVING : Step.OVER;
    } else {
      expectOpen(answer);
    }
  }

  private void archive(SluiceProcess at) {
    Answer answer = tell(at, "archive");
    if (answer.status() == 200) {
      expectSameTotals();
      step = Step.OVER;
    } else {
      expectOpen(answer);
    }
  }

  /** Refunds an order of an earlier sale, if there is one left; its unit leaves the stock. */
  void refundNext() {
    String token = toRefund.peek();
    if (token == null) {
      return;
    }
    refunded.add(token);
    Answer answer = skus().get(0).refund(token);
    if (answer.isYes()) {
      toRefund.remove();
    } else {
      expectOpen(answer);
    }
  }

  // ---- afterwards

  /** All orders of all of its sales are answered as before; fails until they are. */
  void expectSameAnswers() {
    answers.forEach(
        (token, before) -> {
          if (refunded.contains(token)) {
            assertThat(skus().get(0).refund(token).brief()).isEqualTo("200 REFUNDED");
          } else {
            assertThat(statusOf(token)).isEqualTo(before);
          }
        });
  }

  /** The same of the requests about a sale that is over, of which Redis has nothing. */
  void expectGone() {
    expectSameTotals();
    tokens.forEach(
        (request, token) -> {
          expectSameOrder(request, token);
          if (archives) {
            assertThat(request.sku().refund(token).brief()).isEqualTo("409 archived");
          }
        });
    for (Sale sku : skus()) {
      assertThat(sku.order(LATE, key()).brief()).isEqualTo("409 not-open");
      assertThat(site.stock().keysOf(sku.skuId())).isEmpty();
    }
    assertThat(tell(survivor, "end").status()).isEqualTo(200);
    assertThat(tell(survivor, archives ? "archive" : "end").status()).isEqualTo(200);
  }

  /** Orders are those of the present sale, which has its whole stock. */
  void expectSoldAgain() {
    tokens.forEach(this::expectSameOrder);
    assertThat(answers).hasSize(number * requests.size());
    for (Sale sku : skus()) {
      long before =
          answers.keySet().stream()
              .filter(token -> skus.isOf(sku, token))
              .filter(token -> !tokens.containsValue(token) && !refunded.contains(token))
              .count();
      assertThat(site.ledger().query(STOCK, row -> row.getLong(0), sku.skuId()))
          .containsExactly((long) TwoSkus.UNITS);
      assertThat(site.ledger().query(BASE, row -> row.getLong(0), sku.skuId()))
          .containsExactly(before);
    }
  }

  private void expectSameOrder(Request request, String token) {
    Answer again = orderOf(request);
    assertThat(again.brief()).isEqualTo("200 CONFIRMED");
    assertThat(again.token()).isEqualTo(token);
  }

  private JsonObject statusOf(String token) {
    return skus().get(0).status(token).json();
  }

  private void expectSameTotals() {
    assertThat(view().getJsonObject("totals")).as("totals of %s", id()).isEqualTo(totals);
  }

  private static void expectOpen(Answer answer) {
    assertThat(Stage.isOpen(answer)).as("%s", answer).isTrue();
  }

  private JsonObject view() {
    return ask(Call.get(url(survivor))).json();
  }

  private Answer tell(SluiceProcess at, String what) {
    return ask(Call.post(url(at) + "/" + what));
  }

  private Answer ask(Call call) {
    return site.http().ask(call.within(ASK_LIMIT));
  }

  private String url(SluiceProcess at) {
    return at.adminUrl() + "/admin/sales/" + id();
  }

  private String id() {
    return skus.saleId(number);
  }

  private String key() {
    return "sale-" + number;
  }
}
