package io.sluice.chaos.fault;

import io.sluice.testkit.server.Backend;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import java.util.List;

/** Faults of instances: killed, terminated, paused, or restarted. */
final class InstanceBlows {
  /** Grant deadlines of the instances; the sweep waits for twice as long. */
  private static final List<Integer> DEADLINES_MS = List.of(3_000, 1_800, 2_500, 2_000);

  private final SaleSite site;
  private int changes;

  InstanceBlows(SaleSite site) {
    this.site = site;
  }

  Blow of(Fault fault) {
    SluiceProcess instance = site.instance(fault.aim().instance());
    return switch (fault.kind()) {
      case INSTANCE_KILLED, INSTANCE_GONE -> Blow.of(instance::kill, instance::start);
      case INSTANCE_TERMINATED -> Blow.of(instance::terminate, instance::start);
      case INSTANCE_PAUSED -> Blow.of(instance::pause, instance::resume);
      case DEADLINES_CHANGED -> withOtherDeadline();
      default -> throw new IllegalArgumentException("not a fault of an instance: " + fault);
    };
  }

  /** Starts an instance while a store is down, which comes back later. */
  Blow before(Fault fault, Backend store) {
    SluiceProcess instance = site.instance(fault.aim().instance());
    return Blow.of(
        () -> {
          instance.kill();
          store.kill();
          instance.start();
        },
        store::start);
  }

  /**
   * Restarts one instance after the other; in between, two instances with different deadlines run.
   */
  private Blow withOtherDeadline() {
    int deadlineMs = DEADLINES_MS.get(changes++ % DEADLINES_MS.size());
    for (SluiceProcess instance : site.instances()) {
      instance
          .setting("SLUICE_RESERVATION_GRANT_DEADLINE_MS", deadlineMs)
          .setting("SLUICE_RESERVATION_SWEEP_AFTER_MS", 2 * deadlineMs);
    }
    return Blow.of(
        () -> {
          site.instance(0).terminate();
          site.instance(0).start().awaitReady();
        },
        () -> {
          site.instance(1).terminate();
          site.instance(1).start();
        });
  }
}
