package io.sluice.crash;

import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.CartSale;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A sale with carts in each partition, so that every victim owns some of their SKUs. */
final class Baskets {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int UNITS = 2_000;
  private static final int VISITORS = 8;

  private final SaleSite site;
  private final SluiceProcess survivor;
  private final List<CartSale> sales = new ArrayList<>();
  private final List<Supplier<Answer>> open = new ArrayList<>();
  private int arrivals;

  Baskets(SaleSite site, SluiceProcess survivor) {
    this.site = site;
    this.survivor = survivor;
  }

  /** Opens the sales; their carts are paid within that time. */
  void open(Duration paymentWindow) {
    JsonObject terms = new JsonObject().put("total_stock", UNITS);
    JsonObject window = new JsonObject().put("payment_window_s", paymentWindow.toSeconds());
    for (int partition = 0; partition < site.partitions(); partition++) {
      sales.add(CartSale.openIn(partition, site, terms, window));
    }
  }

  /** A new buyer of each sale orders two lines, all at once; returns the tokens of the granted. */
  List<String> order(SluiceProcess at) {
    List<Supplier<Future<Answer>>> orders = new ArrayList<>();
    List<Supplier<Answer>> again = new ArrayList<>();
    for (CartSale sale : sales) {
      Buyer buyer = Buyer.named("carts-" + arrivals++);
      JsonArray lines = sale.lines(0, 1, 1, 2);
      orders.add(() -> sale.at(at).ordering(buyer, "k", lines));
      again.add(() -> sale.at(survivor).order(buyer, "k", lines));
    }
    List<Answer> answers = site.crowd(VISITORS).send(orders);
    for (int i = 0; i < answers.size(); i++) {
      if (!answers.get(i).isYes()) {
        open.add(again.get(i));
      }
    }
    return answers.stream().filter(Answer::isYes).map(Answer::token).toList();
  }

  /** Ends carts, each third in one way: canceled, paid and refunded as a whole, or one line. */
  void end(SluiceProcess at, List<String> tokens) {
    for (int i = 0; i < tokens.size(); i++) {
      String order = "/v1/orders/" + tokens.get(i);
      if (i % 3 == 0) {
        send(at, order + "/cancel", new JsonObject());
      } else {
        send(at, order + "/confirm", new JsonObject().put("payment_ref", "p"));
        send(at, order + "/refunds", i % 3 == 1 ? refund() : refund().put("sku_id", last(i)));
      }
    }
  }

  private static JsonObject refund() {
    return new JsonObject().put("refund_id", "r");
  }

  private long last(int index) {
    return sales.get(index % sales.size()).skuIds().get(1);
  }

  private void send(SluiceProcess at, String path, JsonObject body) {
    if (Stage.isOpen(site.http().ask(Call.post(at.url() + path).json(body)))) {
      open.add(() -> site.http().ask(Call.post(survivor.url() + path).json(body)));
    }
  }

  // ---- afterwards

  Stream<Sale> onSale() {
    return sales.stream().flatMap(sale -> Stream.of(sale.sku(0), sale.sku(1)));
  }

  /** Repeats what has no answer yet. */
  void settle() {
    open.forEach(
        question ->
            await()
                .atMost(LIMIT)
                .pollDelay(Duration.ZERO)
                .until(question::get, answer -> !Stage.isOpen(answer)));
    open.clear();
  }
}
