package io.sluice.chaos.buyer;

import io.sluice.chaos.buyer.OrderStory.Ask;
import io.sluice.chaos.buyer.OrderStory.BookedMark;
import io.sluice.chaos.buyer.OrderStory.GrantedUnits;
import io.sluice.chaos.buyer.OrderStory.OrderRequest;
import io.sluice.chaos.buyer.OrderStory.Units;
import io.sluice.chaos.fault.Targets;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

/**
 * Sends the requests of buyers and back office to one of the instances, and records every story.
 */
public final class Client {
  private static final Duration LIMIT = Duration.ofSeconds(5);

  /** The id of the refund of a part; an order has at most one. */
  private static final String PART = "part";

  private final SaleSite site;
  private final Queue<OrderStory> stories = new ConcurrentLinkedQueue<>();
  private final Map<String, LongAdder> tally = new ConcurrentHashMap<>();

  public Client(SaleSite site) {
    this.site = site;
  }

  OrderStory begin(OrderRequest wanted) {
    var story = new OrderStory(wanted);
    stories.add(story);
    return story;
  }

  /**
   * Sends to a random instance, possibly one that is down: load balancers notice that late, too.
   */
  Future<BookedMark> ask(OrderStory story, Ask ask, String token) {
    return askAt(ThreadLocalRandom.current().nextInt(Targets.INSTANCES), story, ask, token, LIMIT);
  }

  Future<BookedMark> askAt(int instance, OrderStory story, Ask ask, String token, Duration limit) {
    Call call = call(site.instance(instance).url() + "/v1/orders", story.wanted(), ask, token);
    long atMs = System.currentTimeMillis();
    story.asking(ask, token, atMs);
    return site.http()
        .send(call.within(limit))
        .map(answer -> told(answer, atMs, ask, token, instance))
        .onSuccess(
            told -> {
              story.heard(told);
              count(ask + " " + told.answer());
            });
  }

  public Queue<OrderStory> stories() {
    return stories;
  }

  void count(String what) {
    tally.computeIfAbsent(what, any -> new LongAdder()).increment();
  }

  /** Number of times that each answer was given to each request. */
  public Map<String, Long> tally() {
    var counts = new TreeMap<String, Long>();
    tally.forEach((what, count) -> counts.put(what, count.sum()));
    return counts;
  }

  private static Call call(String orders, OrderRequest wanted, Ask ask, String token) {
    var buyer = new Buyer(wanted.userId());
    return switch (ask) {
      case PLACE ->
          Call.post(orders).as(buyer).header("Idempotency-Key", wanted.key()).json(body(wanted));
      case STATUS -> Call.get(orders + "/" + token).as(buyer);
      case CANCEL -> Call.post(orders + "/" + token + "/cancel").as(buyer);
      case CONFIRM -> Call.post(orders + "/" + token + "/confirm");
      case REFUND -> Call.post(orders + "/" + token + "/refund");
      case REQUEST_PART ->
          Call.post(orders + "/" + token + "/refunds")
              .json(json(wanted.part()).put("refund_id", PART));
      case COMPLETE_PART -> Call.post(orders + "/" + token + "/refunds/" + PART + "/complete");
      case LINE ->
          Call.get(orders + "/" + wanted.part().skuId() + token.substring(token.indexOf('.')))
              .as(buyer);
    };
  }

  private static JsonObject body(OrderRequest wanted) {
    JsonArray lines = new JsonArray();
    wanted.units().forEach(units -> lines.add(json(units)));
    return wanted.isCart() ? new JsonObject().put("lines", lines) : lines.getJsonObject(0);
  }

  private static JsonObject json(Units units) {
    return new JsonObject().put("sku_id", units.skuId()).put("qty", units.qty());
  }

  /**
   * The answer came by now. Its own duration begins later than {@code atMs}, when the event loop
   * sends the request; the sum of both would be earlier than the answer.
   */
  private static BookedMark told(Answer answer, long atMs, Ask ask, String about, int instance) {
    boolean yes = answer.isYes();
    return new BookedMark(
        atMs,
        System.currentTimeMillis() - atMs,
        ask,
        instance,
        answer.brief(),
        yes ? answer.token() : about,
        yes ? granted(answer.json()) : List.of());
  }

  private static List<GrantedUnits> granted(JsonObject order) {
    JsonArray lines = order.getJsonArray("lines", new JsonArray().add(order));
    return lines.stream()
        .map(JsonObject.class::cast)
        .map(
            line ->
                new GrantedUnits(
                    line.getLong("sku_id"), line.getInteger("qty"), line.getLong("seq")))
        .toList();
  }
}
