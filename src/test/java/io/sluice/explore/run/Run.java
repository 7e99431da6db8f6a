package io.sluice.explore.run;

import io.sluice.explore.actor.Buyer;
import io.sluice.explore.actor.Ending;
import io.sluice.explore.actor.Front;
import io.sluice.explore.actor.Latecomer;
import io.sluice.explore.actor.Operator;
import io.sluice.explore.check.Drift;
import io.sluice.explore.check.Promises;
import io.sluice.explore.mutant.Defect;
import io.sluice.explore.store.Fault;
import io.sluice.explore.store.FaultId;
import io.sluice.model.BucketId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Runs one scenario from the beginning until everything is settled and the last unit sold, or until
 * a breach.
 */
public final class Run {
  private static final long SETTLES_WITHIN_MS = 90_000;
  private static final long LOOK_EVERY_US = 200_000;
  private static final long FIRST_BUYER_US = 300_000;
  private static final long NEXT_BUYER_MAX_US = 3_000_000;

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
  private final Ending ending;
  private final LastUnits lastUnits;
  private final List<String> actors = new ArrayList<>();
  private int open;
  private boolean over;

  private Run(Scenario scenario, Cut cut, Defect defect, boolean traced) {
    this.scenario = scenario;
    this.world = new World(scenario, cut, defect, traced);
    this.front = new Front(world);
    this.settlement = new Settlement(world);
    this.operator = new Operator(world);
    this.ending = new Ending(world, operator);
    this.lastUnits = new LastUnits(world, front);
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
      world.thrown(thrown);
    }
  }

  private void castActors() {
    for (int i = 1; i <= scenario.buyers(); i++) {
      String name = "buyer-" + i;
      Buyer.OrderRequest wanted = wish(name, i, "k" + i);
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
      String id = "reconcile-" + i;
      cast(id, end -> operator.reconcile(id, end));
    }
    for (int i = 1; i <= scenario.checks().vanishings(); i++) {
      String name = "vanishing-" + i;
      cast(name, end -> vanish(name, end));
    }
    for (int i = 1; i <= scenario.strangers(); i++) {
      String name = "stranger-" + i;
      cast(name, end -> writeNonsense(name, end));
    }
    if (scenario.restored()) {
      cast("restore", 400, operator::restore);
    }
    if (scenario.ends()) {
      castEnds();
    }
  }

  private Buyer.OrderRequest wish(String name, int number, String key) {
    SplittableRandom draws = world.chance().of(name, "wish", 0);
    // Some buyers order a second time with another key, which matters where there is a limit.
    String user = "u" + (draws.nextInt(4) == 0 ? Math.max(1, number - 1) : number);
    return new Buyer.OrderRequest(
        user,
        key,
        draws.nextInt(4) == 0 ? Buyer.UNITS_MAX : 1,
        Sale.wanted(scenario, world.chance().of(name, "skus", 0)));
  }

  /** The end of a sale while it goes on, those who repeat their requests, and the next buyers. */
  private void castEnds() {
    cast(Ending.ACTOR, 400, ending::play);
    for (int i = 1; i <= scenario.buyers(); i++) {
      String late = "late-" + i;
      Buyer.OrderRequest repeated = wish("buyer-" + i, i, "k" + i);
      cast(late, end -> new Latecomer(world, front, late, repeated, end).place());
      String next = "next-" + i;
      Buyer.OrderRequest wanted = wish(next, i, "n" + i);
      long afterUs = world.chance().of(next, "after", 0).nextLong(NEXT_BUYER_MAX_US);
      cast(next, end -> afterEnd(() -> new Buyer(world, front, next, wanted, end).start(afterUs)));
    }
  }

  private void afterEnd(Runnable what) {
    if (world.cut().without().contains(Ending.ACTOR)) {
      what.run();
    } else {
      ending.afterwards(what);
    }
  }

  private interface Part {
    void play(Runnable onEnd);
  }

  private void cast(String name, Part part) {
    cast(name, 800, part);
  }

  /** Comes in the first thousandths of the time with faults. */
  private void cast(String name, int thousandths, Part part) {
    actors.add(name);
    if (world.cut().without().contains(name)) {
      return;
    }
    open++;
    long lastUs = Math.max(FIRST_BUYER_US + 1, scenario.quietAtMs() * thousandths);
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

  private void writeNonsense(String name, Runnable onEnd) {
    int partition = world.chance().of(name, "partition", 0).nextInt(scenario.partitions());
    world.log().appendRaw(partition, "nonsense".getBytes(StandardCharsets.UTF_8));
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
            awaitRepaired(world.scheduler().nowMs() + SETTLES_WITHIN_MS);
          });
    }
  }

  /** A correction is noted before the bucket is rebuilt. */
  private void awaitRepaired(long giveUpMs) {
    if (world.drift().isRepaired()) {
      awaitSettled(
          () -> {
            world.drift().over();
            sellOut();
          });
    } else if (world.scheduler().nowMs() > giveUpMs) {
      world.breach("drift is repaired", "Expected a rebuild");
    } else {
      world.scheduler().after(LOOK_EVERY_US, () -> awaitRepaired(giveUpMs));
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
    int waiting = open + lastUnits.open();
    String left = waiting > 0 ? waiting + " actors are waiting" : settlement.left();
    if (left == null) {
      then.run();
    } else if (world.scheduler().nowMs() > giveUpMs) {
      world.breach("P3 it settles without help", left);
    } else {
      world.scheduler().after(LOOK_EVERY_US, () -> lookAgain(giveUpMs, then));
    }
  }

  private void sellOut() {
    world.say(() -> "*** settled; the units that are left are sold now");
    Promises.check(world, operator);
    lastUnits.sell();
    awaitSettled(
        () -> {
          lastUnits.check();
          Promises.check(world, operator);
          over = true;
        });
  }
}
