package io.sluice.crash;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.CartSale;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Sales of two SKUs that are ordered together, one in each partition. */
final class CartOrders {
  private static final int UNITS = 400;
  private static final int QTY = 2;
  private static final int VISITORS = 8;
  private static final JsonObject TERMS = new JsonObject().put("total_stock", UNITS);

  /** Short, so that some orders time out. */
  private static final JsonObject WINDOW = new JsonObject().put("payment_window_s", 5);

  private final SaleSite site;
  private final SluiceProcess survivor;
  private final List<CartSale> sales = new ArrayList<>();
  private final Consumer<Supplier<Answer>> open;
  private int arrivals;

  /**
   * @param open told of questions that got no answer, to be asked again until there is one
   */
  CartOrders(SaleSite site, SluiceProcess survivor, Consumer<Supplier<Answer>> open) {
    this.site = site;
    this.survivor = survivor;
    this.open = open;
  }

  void open() {
    for (int partition = 0; partition < site.partitions(); partition++) {
      sales.add(CartSale.openIn(site, partition, 2, TERMS, WINDOW));
    }
  }

  /** The SKU by whose bucket each sale's carts go. */
  List<Long> leads() {
    return sales.stream().map(sale -> sale.skuIds().get(0)).toList();
  }

  /** An order of each sale, by a new buyer; some are paid, refunded or canceled, others are not. */
  void orderAndEnd(SluiceProcess orderedAt, SluiceProcess endedAt) {
    List<Buyer> buyers = sales.stream().map(sale -> Buyer.named("carter-" + arrivals++)).toList();
    List<Answer> answers =
        all(
            IntStream.range(0, sales.size())
                .<Supplier<Future<Answer>>>mapToObj(
                    i -> () -> ordering(orderedAt, sales.get(i), buyers.get(i)))
                .toList());
    for (int i = 0; i < answers.size(); i++) {
      CartSale sale = sales.get(i);
      Buyer buyer = buyers.get(i);
      if (answers.get(i).isYes()) {
        end(endedAt, sale, answers.get(i).token(), arrivals + i);
      } else if (Stage.isOpen(answers.get(i))) {
        open.accept(() -> all(List.of(() -> ordering(survivor, sale, buyer))).get(0));
      }
    }
  }

  private static Future<Answer> ordering(SluiceProcess at, CartSale sale, Buyer buyer) {
    return sale.ordering(at, buyer, "k", sale.lines(0, QTY, 1, QTY));
  }

  private void end(SluiceProcess at, CartSale sale, String token, int number) {
    List<OrderEnd> ends = OrderEnd.ofCart(token, number, sale.skuIds().get(1));
    for (OrderEnd end : ends) {
      if (Stage.isOpen(site.http().ask(end.callOf(at)))) {
        open.accept(() -> site.http().ask(end.callOf(survivor)));
      }
    }
  }

  private List<Answer> all(List<Supplier<Future<Answer>>> requests) {
    return site.crowd(VISITORS).send(requests);
  }

  Stream<Sale> onSale() {
    return sales.stream().flatMap(sale -> Stream.of(sale.sku(0), sale.sku(1)));
  }
}
