package io.sluice.chaos.buyer;

import io.sluice.chaos.buyer.OrderStory.Ask;
import io.sluice.chaos.buyer.OrderStory.BookedMark;
import io.sluice.chaos.buyer.OrderStory.OrderRequest;
import io.sluice.chaos.fault.Targets;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
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
    story.asking(ask, atMs);
    return site.http()
        .send(call.within(limit))
        .map(answer -> told(answer, atMs, ask, instance))
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
          Call.post(orders)
              .as(buyer)
              .header("Idempotency-Key", wanted.key())
              .json(new JsonObject().put("sku_id", wanted.skuId()).put("qty", wanted.qty()));
      case STATUS -> Call.get(orders + "/" + token).as(buyer);
      case CANCEL -> Call.post(orders + "/" + token + "/cancel").as(buyer);
      case CONFIRM -> Call.post(orders + "/" + token + "/confirm");
      case REFUND -> Call.post(orders + "/" + token + "/refund");
    };
  }

  /**
   * The answer came by now. Its own duration begins later than {@code atMs}, when the event loop
   * sends the request; the sum of both would be earlier than the answer.
   */
  private static BookedMark told(Answer answer, long atMs, Ask ask, int instance) {
    boolean yes = answer.isYes();
    return new BookedMark(
        atMs,
        System.currentTimeMillis() - atMs,
        ask,
        instance,
        answer.brief(),
        yes ? answer.token() : "",
        yes ? answer.json().getLong("seq") : 0);
  }
}
