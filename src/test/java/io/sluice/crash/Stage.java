package io.sluice.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SkuIds;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * A sale in which instances are killed. Requests that got no answer are repeated until there is
 * one, as by buyers, payers and operators; nothing else helps the instances to recover.
 */
final class Stage {
  static final int BUCKETS = 8;

  private static final int UNITS = 4_000;
  private static final int VISITORS = 8;
  private static final int TOKEN_BYTES = 16;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** For a change that waits for owners, some of which may be dead. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final SaleSite site;
  private final SluiceProcess survivor;
  private final Sale sale;
  private final Map<Long, Sale> sales = new LinkedHashMap<>();
  private final List<String> saleIds = new ArrayList<>();
  private final List<Supplier<Answer>> openQuestions = new ArrayList<>();
  private final Map<String, Future<Answer>> deskCalls = new HashMap<>();
  private final Ends ends;
  private final Crossings crossings;
  private final Shortage shortage;
  private final CartOrders carts;
  private final DirectOrders directOrders;
  private int arrivals;
  private int restocks;

  Stage(SaleSite site, SluiceProcess survivor, Duration paymentWindow) {
    this.site = site;
    this.survivor = survivor;
    this.ends = new Ends(site, survivor);
    this.crossings = new Crossings(site, survivor);
    this.shortage = new Shortage(site, survivor, openQuestions::add);
    this.carts = new CartOrders(site, survivor, openQuestions::add);
    this.directOrders = new DirectOrders(site, survivor, openQuestions::add);
    // Its buckets are spread over all partitions, so that every owner, and therefore every victim,
    // has some.
    long skuId = SkuIds.spread(site, BUCKETS);
    this.sale =
        site.sale(skuId, survivor)
            .withStock(UNITS)
            .withBuckets(BUCKETS)
            .withPaymentWindow(paymentWindow)
            .open();
    sales.put(skuId, sale);
  }

  /** Opens another SKU for each owner: work per SKU is done by the owner of its first bucket. */
  void openASkuForEachOwner() {
    for (int partition = 0; partition < site.partitions(); partition++) {
      long skuId = SkuIds.of(site, partition);
      sales.put(skuId, site.sale(skuId, survivor).withStock(1).open());
    }
  }

  Ends ends() {
    return ends;
  }

  Crossings crossings() {
    return crossings;
  }

  Shortage shortage() {
    return shortage;
  }

  CartOrders carts() {
    return carts;
  }

  DirectOrders directOrders() {
    return directOrders;
  }

  SluiceProcess survivor() {
    return survivor;
  }

  long skuId() {
    return sale.skuId();
  }

  long available() {
    return sale.ledger().available();
  }

  // ---- actions of the scenes

  /** Sends orders of new buyers, all at once; returns the tokens of the granted ones. */
  List<String> order(SluiceProcess at, int count) {
    return order(at, count, 1);
  }

  List<String> order(SluiceProcess at, int count, int qty) {
    List<Buyer> buyers =
        IntStream.range(0, count).mapToObj(i -> Buyer.named("buyer-" + arrivals++)).toList();
    List<Answer> answers = all(buyers.stream().map(b -> ordering(sale.at(at), b, qty)).toList());
    for (int i = 0; i < count; i++) {
      Buyer buyer = buyers.get(i);
      if (!answers.get(i).isYes()) {
        openQuestions.add(() -> sale.at(survivor).order(buyer, "k", qty));
      }
    }
    return answers.stream().filter(Answer::isYes).map(Answer::token).toList();
  }

  private static Supplier<Future<Answer>> ordering(Sale where, Buyer buyer, int qty) {
    return () -> where.ordering(buyer, "k", qty);
  }

  /** Ends orders of two units, each fourth in one way, step by step. */
  void endOrders(SluiceProcess at, List<String> tokens) {
    for (int step = 0; step < OrderEnd.STEPS && !tokens.isEmpty(); step++) {
      List<OrderEnd> ends = new ArrayList<>();
      for (int i = 0; i < tokens.size(); i++) {
        ends.add(OrderEnd.of(tokens.get(i), i, step));
      }
      List<Answer> answers =
          all(ends.stream().<Supplier<Future<Answer>>>map(end -> () -> send(at, end)).toList());
      for (int i = 0; i < answers.size(); i++) {
        OrderEnd end = ends.get(i);
        if (isOpen(answers.get(i))) {
          openQuestions.add(() -> site.http().ask(end.callOf(survivor)));
        }
      }
    }
  }

  void askForStatus(SluiceProcess at) {
    String nobodys =
        skuId()
            + ".0."
            + Base64.getUrlEncoder().withoutPadding().encodeToString(new byte[TOKEN_BYTES]);
    sale.at(at).status(nobodys);
    order(survivor, 1).forEach(token -> sale.at(at).status(token));
  }

  void restock(SluiceProcess at, long qty) {
    if (qty == 0) {
      return;
    }
    String id = "r" + restocks++;
    if (isOpen(sale.at(at).restock(id, qty))) {
      openQuestions.add(() -> sale.at(survivor).restock(id, qty));
    }
  }

  long create(SluiceProcess at) {
    long skuId = site.newSkuId();
    put(at, skuId, UNITS);
    sales.put(skuId, site.known(skuId));
    return skuId;
  }

  void changeTotal(SluiceProcess at) {
    long skuId = create(survivor);
    put(at, skuId, UNITS / 2);
    put(at, skuId, UNITS);
  }

  private void put(SluiceProcess at, long skuId, int units) {
    JsonObject body = new JsonObject().put("total_stock", units).put("buckets", BUCKETS);
    String path = "/admin/skus/" + skuId;
    if (isOpen(site.http().ask(Call.put(at.adminUrl() + path).json(body).within(PATIENCE)))) {
      openQuestions.add(() -> site.http().ask(Call.put(survivor.adminUrl() + path).json(body)));
    }
  }

  /** A sale of one SKU. */
  void createSale(SluiceProcess at) {
    long skuId = site.newSkuId();
    JsonObject sku =
        new JsonObject().put("sku_id", skuId).put("total_stock", UNITS).put("buckets", BUCKETS);
    JsonObject body =
        new JsonObject()
            .put("name", "sale of " + skuId)
            .putNull("opens_at")
            .put("skus", new JsonArray().add(sku));
    String path = "/admin/sales/of-" + skuId;
    if (isOpen(site.http().ask(Call.put(at.adminUrl() + path).json(body)))) {
      openQuestions.add(() -> site.http().ask(Call.put(survivor.adminUrl() + path).json(body)));
    }
    sales.put(skuId, site.known(skuId));
    saleIds.add("of-" + skuId);
  }

  void freezeAndThawSales(SluiceProcess at) {
    for (String saleId : saleIds) {
      String path = "/admin/sales/" + saleId;
      site.http().ask(Call.post(at.adminUrl() + path + "/freeze"));
      if (isOpen(site.http().ask(Call.post(at.adminUrl() + path + "/unfreeze")))) {
        openQuestions.add(
            () -> site.http().ask(Call.post(survivor.adminUrl() + path + "/unfreeze")));
      }
    }
  }

  void closeAndReopen(SluiceProcess at) {
    sale.at(at).close();
    if (isOpen(sale.at(at).reopen())) {
      openQuestions.add(() -> sale.at(survivor).reopen());
    }
  }

  /** At most one call of each kind is in flight: it may be waiting for an owner that is dead. */
  void desk(SluiceProcess at, String method, String path) {
    Future<Answer> before = deskCalls.get(at.name() + path);
    if (before == null || before.isComplete()) {
      Call call = Call.of(method, at.adminUrl() + path);
      deskCalls.put(at.name() + path, site.http().send(call));
    }
  }

  void plantDrift() {
    IntStream.range(0, BUCKETS).forEach(bucket -> site.stock().plantClaimed(skuId(), bucket, 1));
  }

  void poison() {
    IntStream.range(0, site.partitions())
        .forEach(partition -> site.topics().write(site.ordersTopic(), partition, "poison"));
  }

  // ---- afterwards

  /** Repeats the requests that have no answer yet. */
  void settle() {
    for (Supplier<Answer> question : openQuestions) {
      await()
          .atMost(LIMIT)
          .pollDelay(Duration.ZERO)
          .until(question::get, answer -> !isOpen(answer));
    }
    openQuestions.clear();
    ends.settle();
    crossings.settle();
    carts.onSale().forEach(any -> sales.put(any.skuId(), any));
    shortage.onSale().forEach(any -> sales.put(any.skuId(), any));
    ends.onSale().forEach(any -> sales.put(any.skuId(), any));
    await().atMost(LIMIT).untilAsserted(this::expectNoDrift);
  }

  private void expectNoDrift() {
    sales.values().forEach(any -> assertThat(drift(any)).as("drift of %s", any.skuId()).isZero());
  }

  private long drift(Sale any) {
    return RemainingUnits.buckets(any.at(survivor))
        .map(bucket -> bucket.getLong("drift"))
        // Null while the bucket is being reloaded.
        .filter(drift -> drift == null || drift != 0)
        .count();
  }

  /** Buys every unit that the ledger shows as available, wherever some of them move meanwhile. */
  void buyOut() {
    for (Sale any : sales.values()) {
      var left = new RemainingUnits(any.at(survivor));
      await().atMost(LIMIT).until(() -> left.areBought(this::all));
    }
  }

  /** Whether the request has to be repeated. */
  static boolean isOpen(Answer answer) {
    return !answer.came() || answer.status() == 202 || answer.status() >= 500;
  }

  private Future<Answer> send(SluiceProcess at, OrderEnd end) {
    return site.http().send(end.callOf(at));
  }

  private List<Answer> all(List<Supplier<Future<Answer>>> requests) {
    return site.crowd(VISITORS).send(requests);
  }
}
