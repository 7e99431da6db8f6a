package io.sluice.explore.store;

import io.sluice.explore.actor.Node;
import io.sluice.explore.run.Cut;
import io.sluice.explore.run.Scenario;
import io.sluice.explore.run.Scheduler;
import io.sluice.explore.run.World;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Decides at each call whether a fault is injected, and records the faults. */
public final class Faults {
  private static final Fault[] ALL = Fault.values();

  private final Scenario scenario;
  private final Cut cut;
  private final Scheduler scheduler;
  private final List<FaultId> injected = new ArrayList<>();

  public Faults(Scenario scenario, Cut cut, Scheduler scheduler) {
    this.scenario = scenario;
    this.cut = cut;
    this.scheduler = scheduler;
  }

  /** The fault of this call, or null. */
  Fault draw(Node caller, Op op, int count, SplittableRandom draws) {
    return draw(caller, op.label(), count, op.interest(), op::canMeet, draws);
  }

  /** The fault of this request of a buyer, or null. */
  public Fault drawForRequest(String buyer, int count, SplittableRandom draws) {
    return draw(null, buyer, count, 3, Faults::ofMessages, draws);
  }

  private static boolean ofMessages(Fault fault) {
    return fault == Fault.REQUEST_LOST || fault == Fault.REPLY_LOST || fault == Fault.TWICE;
  }

  private interface Possible {
    boolean isPossible(Fault fault);
  }

  private Fault draw(
      Node caller,
      String what,
      int count,
      double interest,
      Possible possible,
      SplittableRandom draws) {
    double left = draws.nextDouble();
    if (scheduler.nowMs() >= cut.quietAtMs()) {
      return null;
    }
    for (Fault fault : ALL) {
      left -= scenario.rates().get(fault) * interest;
      if (left < 0) {
        FaultId id = new FaultId(caller == null ? "buyer" : caller.name(), what, count, fault);
        boolean hits = possible.isPossible(fault) && hasProcess(caller, fault) && cut.allows(id);
        if (hits) {
          injected.add(id);
        }
        return hits ? fault : null;
      }
    }
    return null;
  }

  private static boolean hasProcess(Node caller, Fault fault) {
    boolean ofProcess = fault == Fault.CRASH || fault == Fault.PAUSE;
    return !ofProcess || (caller != null && !caller.name().equals(World.OPERATOR));
  }

  public List<FaultId> injected() {
    return List.copyOf(injected);
  }

  public Map<Fault, Integer> counts() {
    Map<Fault, Integer> counts = new EnumMap<>(Fault.class);
    injected.forEach(id -> counts.merge(id.fault(), 1, Integer::sum));
    return counts;
  }
}
