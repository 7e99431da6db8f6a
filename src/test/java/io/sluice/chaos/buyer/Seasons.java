package io.sluice.chaos.buyer;

import io.sluice.chaos.buyer.Goods.Item;
import io.sluice.chaos.fault.Targets;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/**
 * An operator who ends the sale of a SKU for good, and sells the SKU again in the next one, over
 * and over. Each request is repeated until it is decided, so the last sale is always ended.
 */
public final class Seasons {
  /**
   * A sale that was put.
   *
   * @param putMs before its first request
   * @param endedMs when its end was answered 200; {@code Long.MAX_VALUE} until then
   */
  public record Season(String saleId, long putMs, long endedMs) {
    public boolean isOver() {
      return endedMs < Long.MAX_VALUE;
    }
  }

  /**
   * An answer to the operator.
   *
   * @param step what was asked
   * @param answer in brief, such as {@code 202} or {@code 409 in-use}
   */
  public record Heard(Step step, String saleId, String answer) {}

  /** What an operator asks. */
  public enum Step {
    SELL_AGAIN,
    MAKE_ROOM,
    END
  }

  private enum Phase {
    OPENING,
    SELLING,
    ENDING,
    ENDED
  }

  static final int FIRST = 1;

  /** However long the faults last: the SKU is sold again at least once. */
  public static final int SALES_MIN = 2;

  private static final int TURN_MS = 500;
  private static final int SELL_MIN_MS = 3_000;
  private static final int SELL_MAX_MS = 7_000;
  private static final int PAUSE_MAX_MS = 1_000;
  private static final Duration LIMIT = Duration.ofSeconds(12);
  private static final Duration REST_LIMIT = Duration.ofSeconds(60);

  private final SaleSite site;
  private final Client client;
  private final Item item;
  private final List<Season> seasons = new ArrayList<>();
  private final List<Heard> heard = new ArrayList<>();
  private Phase phase = Phase.SELLING;
  private int number = FIRST;
  private int roomsMade;
  private long untilMs;

  /** Whether the outcome of the last request is not known. */
  private boolean unsure;

  private boolean leaving;
  private int roomWanted;
  private boolean resting;
  private boolean atRest;
  private boolean over;

  public Seasons(SaleSite site, Client client, Item item) {
    this.site = site;
    this.client = client;
    this.item = item;
  }

  public synchronized void come() {
    seasons.add(new Season(Goods.seasonId(item, FIRST), 0, Long.MAX_VALUE));
    untilMs = System.currentTimeMillis() + sellMs();
    turnLater();
  }

  /** Puts no further sale than it must; the last one is ended, which {@link #isOver} tells. */
  public synchronized void stopComing() {
    leaving = true;
  }

  /** Whether the end of the last sale was answered 200. */
  public synchronized boolean isOver() {
    return over;
  }

  /**
   * Adds some units to every bucket that sells, then asks for nothing until {@link #goOn}; returns
   * once the outcome of every request is recorded.
   */
  public void rest(int roomInEachBucket) {
    synchronized (this) {
      resting = true;
      roomWanted = roomInEachBucket * item.buckets();
    }
    Awaitility.await().atMost(REST_LIMIT).until(this::isAtRest);
  }

  public synchronized void goOn() {
    resting = false;
    atRest = false;
  }

  /** All sales but the one of the sell-out, in their order. */
  public synchronized List<Season> seasons() {
    return List.copyOf(seasons);
  }

  /** All answers, in their order. */
  public synchronized List<Heard> heard() {
    return List.copyOf(heard);
  }

  private synchronized boolean isAtRest() {
    return atRest;
  }

  private synchronized void turn() {
    if (resting && mayRest()) {
      atRest = true;
      turnLater();
    } else if (resting && phase == Phase.SELLING) {
      send(makeRoom());
    } else if (phase == Phase.ENDED && leaving && seasons.size() >= SALES_MIN) {
      over = true;
    } else if (System.currentTimeMillis() < untilMs && !leaving) {
      turnLater();
    } else {
      send(next());
    }
  }

  /** A sale that has begun to end does so without its operator. */
  private boolean mayRest() {
    boolean hasRoom = phase != Phase.SELLING || roomWanted == 0;
    return !unsure && phase != Phase.OPENING && hasRoom;
  }

  /** The request of the next step, or of the one that is not decided. */
  private Call next() {
    if (phase == Phase.SELLING) {
      phase = Phase.ENDING;
    } else if (phase == Phase.ENDED) {
      phase = Phase.OPENING;
      number++;
      seasons.add(
          new Season(Goods.seasonId(item, number), System.currentTimeMillis(), Long.MAX_VALUE));
    }
    SluiceProcess desk = desk();
    Call call =
        phase == Phase.ENDING
            ? Call.post(desk.adminUrl() + "/admin/skus/" + item.skuId() + "/end")
            : Goods.season(desk, item, number, item.windowS());
    return call.within(LIMIT);
  }

  private Call makeRoom() {
    return Call.post(desk().adminUrl() + "/admin/skus/" + item.skuId() + "/restock")
        .json(new JsonObject().put("restock_id", "season-room-" + roomsMade).put("qty", roomWanted))
        .within(LIMIT);
  }

  private void send(Call call) {
    site.http()
        .send(call)
        .onSuccess(this::hear)
        .onFailure(why -> client.count("the client failed: " + why))
        .onComplete(end -> turnLater());
  }

  private synchronized void hear(Answer answer) {
    Step step = step();
    heard.add(new Heard(step, Goods.seasonId(item, number), answer.brief()));
    client.count(step + " " + answer.brief());
    unsure = answer.status() >= 500 || !answer.came();
    if (unsure || answer.status() == 202) {
      return;
    }
    long nowMs = System.currentTimeMillis();
    if (!answer.isYes()) {
      // What the ledger has is followed: a SKU that cannot be put or restocked is ended.
      phase = Phase.ENDING;
    } else if (step == Step.MAKE_ROOM) {
      roomsMade++;
      roomWanted = 0;
    } else if (step == Step.SELL_AGAIN) {
      phase = Phase.SELLING;
      untilMs = nowMs + sellMs();
    } else {
      phase = Phase.ENDED;
      untilMs = nowMs + luck().nextInt(PAUSE_MAX_MS);
      Season last = seasons.remove(seasons.size() - 1);
      seasons.add(new Season(last.saleId(), last.putMs(), nowMs));
    }
  }

  /** What was asked last, by the phase since then. */
  private Step step() {
    return switch (phase) {
      case OPENING -> Step.SELL_AGAIN;
      case SELLING -> Step.MAKE_ROOM;
      default -> Step.END;
    };
  }

  private void turnLater() {
    site.vertx().timer(TURN_MS, TimeUnit.MILLISECONDS).onSuccess(now -> turn());
  }

  private SluiceProcess desk() {
    return site.instance(luck().nextInt(Targets.INSTANCES));
  }

  private static int sellMs() {
    return luck().nextInt(SELL_MIN_MS, SELL_MAX_MS);
  }

  private static ThreadLocalRandom luck() {
    return ThreadLocalRandom.current();
  }
}
