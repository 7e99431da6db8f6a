package io.sluice.chaos.fault;

import io.sluice.testkit.server.Backend;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Faults of instances: killed, terminated, paused, or restarted. */
final class InstanceBlows {
  /** Grant deadlines of the instances; the sweep waits for twice as long. */
  private static final List<Integer> DEADLINES_MS = List.of(3_000, 1_800, 2_500, 2_000);

  /** The exit code of a process whose configuration is another ledger's. */
  private static final int FOUNDED_ELSEWHERE = 2;

  private final SaleSite site;
  private int changes;
  private final Map<String, String> ofRedis;
  private int strangers;

  /**
   * @param ofRedis the settings of an instance that reach the Redis of the run
   */
  InstanceBlows(SaleSite site, Map<String, String> ofRedis) {
    this.site = site;
    this.ofRedis = ofRedis;
  }

  Blow of(Fault fault) {
    SluiceProcess instance = site.instance(fault.aim().instance());
    return switch (fault.kind()) {
      case INSTANCE_KILLED, INSTANCE_GONE -> Blow.of(instance::kill, instance::start);
      case INSTANCE_TERMINATED -> Blow.of(instance::terminate, instance::start);
      case INSTANCE_PAUSED -> Blow.of(instance::pause, instance::resume);
      case DEADLINES_CHANGED -> withOtherDeadline();
      case SECOND_LEDGER -> Blow.of(this::refuseStranger, () -> {});
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
   * Starts an instance of another ledger on the same topics and Redis, in turn with topics of its
   * own: it must end by itself, with the code of a wrong configuration.
   */
  private void refuseStranger() {
    Map<String, String> settings = new HashMap<>(ofRedis);
    settings.put("SLUICE_MYSQL_URI", site.backends().mysql().newDatabase());
    if (strangers++ % 2 == 1) {
      settings.put("SLUICE_KAFKA_ORDERS_TOPIC", "others-orders");
      settings.put("SLUICE_KAFKA_EVENTS_TOPIC", "others-events");
      settings.put("SLUICE_KAFKA_GROUP", "others");
    }
    try (SluiceProcess stranger = site.stranger("of-another-ledger", settings)) {
      int code = stranger.start().awaitExit().code();
      if (code != FOUNDED_ELSEWHERE) {
        throw new AssertionError(
            "Expected that an instance of another ledger ends with %d, but it ended with %d: %s"
                .formatted(FOUNDED_ELSEWHERE, code, stranger.log()));
      }
    }
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
