package io.sluice.chaos.buyer;

import io.sluice.chaos.buyer.Goods.Item;
import io.sluice.chaos.buyer.OrderStory.Ask;
import io.sluice.chaos.buyer.OrderStory.BookedMark;
import io.sluice.chaos.buyer.OrderStory.OrderRequest;
import io.sluice.chaos.buyer.OrderStory.Units;
import io.sluice.chaos.fault.Targets;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A steady stream of buyers on several threads, no more at once than leave the machine a {@link
 * Reserve}. Each wants one order, of one SKU or of several together, repeats the request with the
 * same key until it gets a final answer, and then pays, cancels, does both at once, asks for a
 * refund, or leaves.
 */
public final class Buyers {
  private static final int THREADS = 4;
  private static final long LOOK_MS = 1_000;

  /** One buyer in so many orders several SKUs. */
  private static final int CART_EVERY = 5;

  private static final int CART_LINES_MIN = 2;

  /** One buyer in so many comes back to a SKU that is sold in one sale after the other. */
  private static final int COMES_BACK = 3;

  private static final int COMES_BACK_MAX_MS = 25_000;
  private static final List<Ask> LATE = List.of(Ask.CONFIRM, Ask.REFUND, Ask.CANCEL, Ask.STATUS);
  private static final int PAUSE_MIN_MS = 300;
  private static final int PAUSE_MAX_MS = 1_500;
  private static final Duration IMPATIENCE = Duration.ofMillis(40);
  private static final String FINAL = "200 .*|201 .*|4(?!29).*|500.*";

  private final Vertx vertx;
  private final Client client;
  private final Goods goods;
  private final int tickMs;
  private final Reserve reserve = Reserve.ofThisMachine();
  private final Set<OrderStory> open = ConcurrentHashMap.newKeySet();
  private final AtomicLong came = new AtomicLong();
  private volatile boolean coming;

  public Buyers(Vertx vertx, Client client, Goods goods, int perSecond) {
    this.vertx = vertx;
    this.client = client;
    this.goods = goods;
    this.tickMs = 1_000 * THREADS / perSecond;
  }

  public void come() {
    coming = true;
    vertx.setPeriodic(LOOK_MS, timer -> reserve.look());
    vertx.deployVerticle(
        () ->
            new VerticleBase() {
              @Override
              public Future<?> start() {
                vertx.setPeriodic(tickMs, timer -> buyIfThereIsRoom());
                return Future.succeededFuture();
              }
            },
        new DeploymentOptions().setInstances(THREADS));
  }

  /** Stops new buyers; those under way continue until they have their answers. */
  public void stopComing() {
    coming = false;
  }

  /** The stories of buyers who have no final answer yet. */
  public List<OrderStory> open() {
    return List.copyOf(open);
  }

  public long came() {
    return came.get();
  }

  /** The lowest number of buyers to which the stream was limited, for want of processors. */
  public int fewestAtOnce() {
    return reserve.fewest();
  }

  private void buyIfThereIsRoom() {
    if (coming && open.size() < reserve.allowed()) {
      buy();
    }
  }

  private void buy() {
    long number = came.incrementAndGet();
    OrderStory story = client.begin(number % CART_EVERY == 0 ? ofCart(number) : ofOne(number));
    open.add(story);
    order(story, luck().nextInt(100))
        .compose(
            done ->
                story.wanted().skuId() == goods.seasonal().skuId()
                    ? comeBack(story)
                    : Future.succeededFuture())
        .onComplete(
            end -> {
              open.remove(story);
              if (end.failed()) {
                client.count("the client failed: " + end.cause());
              }
            });
  }

  private OrderRequest ofOne(long number) {
    List<Item> items = goods.alone();
    Item item = items.get((int) (number % items.size()));
    String user =
        item.users() == 0
            ? item.user("buyer-" + number)
            : "regular-" + luck().nextInt(item.users());
    int qty = item.users() == 0 ? 1 + luck().nextInt(2) : 1;
    return new OrderRequest(item.skuId(), user, "key-" + number, qty);
  }

  private OrderRequest ofCart(long number) {
    List<Item> chosen = new ArrayList<>(goods.together());
    Collections.shuffle(chosen, luck());
    int lines = luck().nextInt(CART_LINES_MIN, chosen.size() + 1);
    List<Units> units =
        chosen.stream()
            .limit(lines)
            .map(item -> new Units(item.skuId(), 1 + luck().nextInt(2)))
            .toList();
    String user = "carter-" + luck().nextInt(chosen.get(0).users());
    return new OrderRequest(user, "key-" + number, units);
  }

  private Future<?> order(OrderStory story, int dice) {
    if (dice < 5) {
      // Gives up before the answer arrives.
      return client.askAt(luck().nextInt(Targets.INSTANCES), story, Ask.PLACE, "", IMPATIENCE);
    }
    if (dice < 15) {
      Future<BookedMark> twin = until(story, Ask.PLACE, "");
      return until(story, Ask.PLACE, "").compose(first -> twin).compose(told -> act(story, told));
    }
    return until(story, Ask.PLACE, "").compose(told -> act(story, told));
  }

  /** The buyer's next step after the final answer to the order. */
  private Future<?> act(OrderStory story, BookedMark placed) {
    if (!placed.isYes()) {
      return Future.succeededFuture();
    }
    String token = placed.token();
    int dice = luck().nextInt(100);
    if (story.wanted().isCart() && luck().nextInt(3) == 0) {
      return dice < 70 ? refundPart(story, token) : until(story, Ask.LINE, token);
    }
    if (dice < 45) {
      return after(luck().nextInt(3_000)).compose(now -> until(story, Ask.CONFIRM, token));
    }
    if (dice < 60) {
      return until(story, Ask.CONFIRM, token)
          .compose(paid -> after(luck().nextInt(4_000)))
          .compose(now -> until(story, Ask.REFUND, token));
    }
    if (dice < 72) {
      return after(luck().nextInt(4_000)).compose(now -> until(story, Ask.CANCEL, token));
    }
    if (dice < 80) {
      Future<BookedMark> canceled = until(story, Ask.CANCEL, token);
      return until(story, Ask.CONFIRM, token).compose(paid -> canceled);
    }
    if (dice < 88) {
      // Pays at about the end of the time to pay.
      return after(6_000 + luck().nextInt(5_000)).compose(now -> until(story, Ask.CONFIRM, token));
    }
    // Leaves, and later repeats the same request or looks at the order.
    Ask last = dice < 94 ? Ask.PLACE : Ask.STATUS;
    return after(luck().nextInt(12_000)).compose(now -> until(story, last, token));
  }

  /**
   * Repeats the request, maybe in the next sale, where it is another order; or asks for something
   * about the order, whose sale may be over.
   */
  private Future<?> comeBack(OrderStory story) {
    if (luck().nextInt(COMES_BACK) > 0) {
      return Future.succeededFuture();
    }
    List<String> before = story.tokens();
    boolean again = before.isEmpty() || luck().nextBoolean();
    Ask ask = again ? Ask.PLACE : LATE.get(luck().nextInt(LATE.size()));
    return after(luck().nextInt(COMES_BACK_MAX_MS))
        .compose(now -> until(story, ask, again ? "" : before.get(0)))
        .compose(
            told ->
                again && !before.contains(told.token())
                    ? act(story, told)
                    : Future.succeededFuture());
  }

  /** Pays for a cart, and gives one line of it back. */
  private Future<?> refundPart(OrderStory story, String token) {
    return until(story, Ask.CONFIRM, token)
        .compose(paid -> after(luck().nextInt(3_000)))
        .compose(now -> until(story, Ask.REQUEST_PART, token))
        .compose(
            told ->
                told.isYes()
                    ? until(story, Ask.COMPLETE_PART, token)
                    : Future.succeededFuture(told));
  }

  private Future<BookedMark> until(OrderStory story, Ask ask, String token) {
    return client
        .ask(story, ask, token)
        .compose(
            told ->
                told.answer().matches(FINAL)
                    ? Future.succeededFuture(told)
                    : after(PAUSE_MIN_MS + luck().nextInt(PAUSE_MAX_MS - PAUSE_MIN_MS))
                        .compose(now -> until(story, ask, token)));
  }

  private Future<?> after(int ms) {
    return vertx.timer(Math.max(1, ms), TimeUnit.MILLISECONDS);
  }

  private static ThreadLocalRandom luck() {
    return ThreadLocalRandom.current();
  }
}
