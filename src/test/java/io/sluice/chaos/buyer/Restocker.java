package io.sluice.chaos.buyer;

import io.sluice.chaos.buyer.Goods.Item;
import io.sluice.chaos.check.HonestNo.Restock;
import io.sluice.chaos.fault.Targets;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;

/**
 * An operator who adds units and takes unsold ones back; each request is repeated until it is
 * decided.
 */
public final class Restocker {
  private static final int EVERY_MS = 800;
  private static final int OPEN_MAX = 20;
  private static final int UP_MAX = 90;
  private static final int DOWN_MAX = 40;
  private static final int AGAIN_MS = 700;
  private static final Duration LIMIT = Duration.ofSeconds(12);
  private static final Duration REST_LIMIT = Duration.ofSeconds(60);

  private final SaleSite site;
  private final Client client;
  private final List<Item> items;
  private final Map<Long, Long> totals = new ConcurrentHashMap<>();
  private final Queue<Restock> decided = new ConcurrentLinkedQueue<>();
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger number = new AtomicInteger();
  private volatile boolean coming;
  private volatile boolean resting;

  public Restocker(SaleSite site, Client client, List<Item> items) {
    this.site = site;
    this.client = client;
    this.items = items;
    items.forEach(item -> totals.put(item.skuId(), (long) item.firstStock()));
  }

  public void come() {
    coming = true;
    Vertx vertx = site.vertx();
    vertx.setPeriodic(
        EVERY_MS,
        timer -> {
          if (!coming) {
            vertx.cancelTimer(timer);
          } else if (!resting && open.get() < OPEN_MAX) {
            restock();
          }
        });
  }

  public void stopComing() {
    coming = false;
  }

  /**
   * Adds some units to every bucket, then restocks nothing until {@link #goOn}; returns when all
   * restocks are decided.
   */
  public void rest(int roomInEachBucket) {
    resting = true;
    items.forEach(item -> restock(item, roomInEachBucket * item.buckets()));
    Awaitility.await().atMost(REST_LIMIT).until(() -> open.get() == 0);
  }

  public void goOn() {
    resting = false;
  }

  public int open() {
    return open.get();
  }

  /** The expected total of each SKU, by the answers. */
  public Map<Long, Long> totals() {
    return new TreeMap<>(totals);
  }

  /** All that were decided. */
  public List<Restock> decided() {
    return List.copyOf(decided);
  }

  private void restock() {
    Item item = items.get(number.get() % items.size());
    boolean up = luck().nextInt(100) < 70;
    int qty = 1 + luck().nextInt(up ? UP_MAX : DOWN_MAX);
    restock(item, up ? qty : -qty);
  }

  /** Adds units, or takes unsold ones back where {@code qty} is negative. */
  private void restock(Item item, int qty) {
    open.incrementAndGet();
    long beganMs = System.currentTimeMillis();
    until(item, "restock-" + number.incrementAndGet(), qty)
        .onSuccess(answer -> decide(item, answer, qty, beganMs))
        .onComplete(
            end -> {
              open.decrementAndGet();
              if (end.failed()) {
                client.count("the client failed: " + end.cause());
              }
            });
  }

  private Future<Answer> until(Item item, String id, int qty) {
    String desk = site.instance(luck().nextInt(Targets.INSTANCES)).adminUrl();
    Call call =
        Call.post(desk + "/admin/skus/" + item.skuId() + "/restock")
            .json(new JsonObject().put("restock_id", id).put("qty", qty))
            .within(LIMIT);
    return site.http()
        .send(call)
        .compose(
            answer -> {
              client.count("RESTOCK " + answer.brief());
              return decided(answer)
                  ? Future.succeededFuture(answer)
                  : site.vertx()
                      .timer(AGAIN_MS, TimeUnit.MILLISECONDS)
                      .compose(now -> until(item, id, qty));
            });
  }

  private void decide(Item item, Answer answer, int qty, long beganMs) {
    boolean done = answer.status() == 200;
    if (done) {
      totals.merge(item.skuId(), (long) qty, Long::sum);
    }
    decided.add(new Restock(item.skuId(), qty, beganMs, System.currentTimeMillis(), done));
  }

  private static boolean decided(Answer answer) {
    return answer.status() == 200 || (answer.status() >= 400 && answer.status() <= 500);
  }

  private static ThreadLocalRandom luck() {
    return ThreadLocalRandom.current();
  }
}
