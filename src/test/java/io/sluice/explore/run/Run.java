package io.sluice.explore.run;

import io.sluice.explore.actor.Buyer;
import io.sluice.explore.actor.Front;
import io.sluice.explore.actor.Operator;
import io.sluice.explore.check.Drift;
import io.sluice.explore.check.Promises;
import io.sluice.explore.mutant.Defect;
import io.sluice.explore.store.Fault;
import io.sluice.explore.store.FaultId;
import io.sluice.model.BucketId;
import io.sluice.model.Order;
import io.sluice.model.Refusal;
import io.sluice.reservation.grant.PlacedOrder;
import io.sluice.stock.StockStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Runs one scenario from the beginning until everything is settled and the last unit sold, or until
 * a breach.
 */
public final class Run {
  private static final long SETTLES_WITHIN_MS = 90_000;
  private static final long LOOK_EVERY_US = 200_000;
  private static final long FIRST_BUYER_US = 300_000;
  private static final int BUSY_MAX = 40;

  /** The outcome; the breach is null where there was none. */
  public record Outcome(
      Breach breach,
      long steps,
      long fingerprint,
      List<FaultId> injected,
      Map<Fault, Integer> faults,
      Map<String, Integer> sights,
      List<String> actors,
      int granted,
      int refused,
      long epochs,
      long endedAtMs,
      Trace trace) {}

  private final Scenario scenario;
  private final World world;
  private final Front front;
  private final Settlement settlement;
  private final Operator operator;
  private final List<String> actors = new ArrayList<>();
  private int open;
  private boolean over;

  private Run(Scenario scenario, Cut cut, Defect defect, boolean traced) {
    this.scenario = scenario;
    this.world = new World(scenario, cut, defect, traced);
    this.front = new Front(world);
    this.settlement = new Settlement(world);
    this.operator = new Operator(world);
  }

  public static Outcome of(Scenario scenario, Cut cut, Defect defect, boolean traced) {
    Run run = new Run(scenario, cut, defect, traced);
    run.toTheEnd();
    return run.outcome();
  }

  private Outcome outcome() {
    long epochs =
        Sale.buckets(scenario).stream()
            .mapToLong(id -> world.ledger().bucket(id).result().orElseThrow().epoch())
            .sum();
    return new Outcome(
        world.breach(),
        world.scheduler().steps(),
        world.scheduler().fingerprint(),
        world.faults().injected(),
        world.faults().counts(),
        world.sights().counts(),
        actors,
        world.told().wishesGranted(),
        world.told().refusals(),
        epochs,
        world.scheduler().nowMs(),
        world.trace());
  }

  private void toTheEnd() {
    Sale.open(world.ledger(), scenario);
    world.instances().start();
    castActors();
    world.scheduler().after(world.cut().quietAtMs() * 1_000, this::quiet);
    try {
      while (!over && world.breach() == null && world.scheduler().step()) {}
    } catch (RuntimeException thrown) {
      world.breach("nothing throws", thrown + " at " + List.of(thrown.getStackTrace()).get(0));
    }
  }

  private void castActors() {
    for (int i = 1; i <= scenario.buyers(); i++) {
      String name = "buyer-" + i;
      SplittableRandom draws = world.chance().of(name, "wish", 0);
      // Some buyers order a second time with another key, which matters where there is a limit.
      String user = "u" + (draws.nextInt(4) == 0 ? Math.max(1, i - 1) : i);
      Buyer.OrderRequest wanted =
          new Buyer.OrderRequest(
              user,
              "k" + i,
              draws.nextInt(4) == 0 ? Buyer.UNITS_MAX : 1,
              Sale.wanted(scenario, world.chance().of(name, "skus", 0)));
      cast(name, end -> new Buyer(world, front, name, wanted, end).start(0));
    }
    for (int i = 1; i <= scenario.restocks(); i++) {
      String id = "restock-" + i;
      cast(id, end -> operator.restock(id, end));
    }
    for (int i = 1; i <= scenario.rebuilds(); i++) {
      String id = "rebuild-" + i;
      cast(id, end -> operator.rebuild(id, end));
    }
    for (int i = 1; i <= scenario.freezes(); i++) {
      String id = "freeze-" + i;
      cast(id, end -> operator.freeze(id, end));
    }
    for (int i = 1; i <= scenario.checks().requests(); i++) {
      cast("reconcile-" + i, operator::reconcile);
    }
    for (int i = 1; i <= scenario.checks().vanishings(); i++) {
      String name = "vanishing-" + i;
      cast(name, end -> vanish(name, end));
    }
    for (int i = 1; i <= scenario.strangers(); i++) {
      cast("stranger-" + i, this::writeNonsense);
    }
  }

  private interface Part {
    void play(Runnable onEnd);
  }

  private void cast(String name, Part part) {
    actors.add(name);
    if (world.cut().without().contains(name)) {
      return;
    }
    open++;
    long lastUs = Math.max(FIRST_BUYER_US + 1, scenario.quietAtMs() * 800);
    long comesUs = world.chance().of(name, "comes", 0).nextLong(FIRST_BUYER_US, lastUs);
    world.scheduler().after(comesUs, () -> part.play(() -> open--));
  }

  private void vanish(String name, Runnable onEnd) {
    world.drift().vanish(anyBucket(name));
    onEnd.run();
  }

  private BucketId anyBucket(String who) {
    List<BucketId> all = Sale.buckets(scenario);
    return all.get(world.chance().of(who, "bucket", 0).nextInt(all.size()));
  }

  private void writeNonsense(Runnable onEnd) {
    world.log().appendRaw(World.PARTITION, "nonsense".getBytes(StandardCharsets.UTF_8));
    onEnd.run();
  }

  private void quiet() {
    world.say(() -> "*** the faults have ended");
    if (scenario.renewed()) {
      world.instances().renew();
    }
    awaitSettled(this::drift);
  }

  /**
   * Plants a difference, if the scenario has one: two passes must repair it, or freeze the sale.
   */
  private void drift() {
    Promises.check(world, operator);
    Drift drift = world.drift();
    Drift.Kind kind = scenario.checks().drift();
    if (kind == null || !drift.plant(kind, anyBucket("drift"))) {
      sellOut();
    } else if (kind == Drift.Kind.COUNTERS) {
      awaitFrozen(world.scheduler().nowMs() + SETTLES_WITHIN_MS);
    } else {
      awaitSettled(
          () -> {
            if (!drift.wasFound()) {
              world.breach("drift is found", "Expected a correction of " + kind);
            }
            drift.over();
            sellOut();
          });
    }
  }

  private void awaitFrozen(long giveUpMs) {
    if (world.drift().isFrozen()) {
      over = true;
    } else if (world.scheduler().nowMs() > giveUpMs) {
      world.breach("drift of the ledger itself stops the sale", "Expected it to be frozen");
    } else {
      world.scheduler().after(LOOK_EVERY_US, () -> awaitFrozen(giveUpMs));
    }
  }

  private void awaitSettled(Runnable then) {
    long giveUpMs = world.scheduler().nowMs() + SETTLES_WITHIN_MS;
    lookAgain(giveUpMs, then);
  }

  private void lookAgain(long giveUpMs, Runnable then) {
    String left = open > 0 ? open + " actors are waiting" : settlement.left();
    if (left == null) {
      then.run();
    } else if (world.scheduler().nowMs() > giveUpMs) {
      world.breach("P3 it settles without help", left);
    } else {
      world.scheduler().after(LOOK_EVERY_US, () -> lookAgain(giveUpMs, then));
    }
  }

  /** Checks that every unit that the ledger shows as available can be sold, to whichever buyer. */
  private void sellOut() {
    world.say(() -> "*** settled; the units that are left are sold now");
    Promises.check(world, operator);
    long free = 0;
    for (long skuId : Sale.skus(scenario)) {
      long left = 0;
      for (BucketId id : Sale.buckets(scenario, skuId)) {
        left += world.ledger().bucket(id).result().orElseThrow().free();
      }
      free += left;
      for (int i = 0; i < left + 1; i++) {
        open++;
        BucketId id = Sale.lastBucket(scenario, skuId, i, world.chance().of("last", skuId));
        Buyer.OrderRequest wanted = new Buyer.OrderRequest(userOf(id, i), null, 1, List.of(skuId));
        // A unit that has just returned is on sale once the sold-out lease of its bucket is over.
        world.scheduler().after(StockStore.SOLD_OUT_MAX_MS * 1_000L, () -> buyLast(wanted, 0));
      }
    }
    long expected = free;
    long soldBefore = unitsEverSold();
    awaitSettled(() -> close(expected, soldBefore));
  }

  private void close(long expected, long soldBefore) {
    long sold = unitsEverSold() - soldBefore;
    if (sold < expected) {
      world.breach(
          "P3 nothing stranded",
          "Expected to sell the last " + expected + " units, but sold " + sold);
    }
    Promises.check(world, operator);
    over = true;
  }

  private long unitsEverSold() {
    return Settlement.orders(world).stream().mapToLong(Order::qty).sum();
  }

  private String userOf(BucketId id, int number) {
    for (int i = 0; ; i++) {
      String user = "last" + number + "-" + i;
      if (BucketId.of(id.skuId(), user, scenario.buckets()).equals(id)) {
        return user;
      }
    }
  }

  private void buyLast(Buyer.OrderRequest wanted, int asked) {
    front.<PlacedOrder>ask(
        wanted.user(),
        asked,
        api -> api.place(wanted),
        answer -> {
          // Busy, until units of another bucket have come.
          if (isSaid(answer) || asked > BUSY_MAX) {
            open--;
          } else {
            world.scheduler().after(LOOK_EVERY_US, () -> buyLast(wanted, asked + 1));
          }
        });
  }

  private static boolean isSaid(Optional<PlacedOrder> answer) {
    return answer.isPresent()
        && (answer.get() instanceof PlacedOrder.Accepted
            || ((PlacedOrder.Refused) answer.get()).refusal() == Refusal.SOLD_OUT);
  }
}
