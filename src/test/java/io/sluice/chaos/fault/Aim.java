package io.sluice.chaos.fault;

import java.util.Collections;
import java.util.Random;
import java.util.Set;

/**
 * The target of a fault.
 *
 * @param name such as {@code instance 0}, {@code Redis}, {@code instance 1 to Kafka}
 * @param instance the instance concerned, if any
 * @param server the server concerned, if any
 * @param touched everything that no other fault may break at the same time
 */
record Aim(String name, int instance, String server, Set<String> touched) {
  static Aim of(FaultKind kind, Random luck) {
    int instance = luck.nextInt(Targets.INSTANCES);
    String server = Targets.SERVERS.get(luck.nextInt(Targets.SERVERS.size()));
    String one = Targets.instance(instance);
    return switch (kind.part()) {
      case INSTANCE -> on(one, instance, server);
      case INSTANCES ->
          new Aim(
              "all instances", instance, server, Set.of(Targets.instance(0), Targets.instance(1)));
      case LINK -> on(Targets.link(instance, server), instance, server);
      case REDIS -> on(Targets.REDIS, instance, server);
      case KAFKA -> on(Targets.KAFKA, instance, server);
      case SERVERS -> new Aim("all servers", instance, server, Set.copyOf(Targets.SERVERS));
      case DATABASE -> on(Targets.DATABASE, instance, server);
      case LOG ->
          new Aim("order log", instance, server, Set.of(Targets.KAFKA, Targets.DATABASE, one));
      case STORE -> new Aim(server + " and " + one, instance, server, Set.of(server, one));
    };
  }

  /** Whether both targets can be broken at the same time. */
  boolean isApartFrom(Aim other) {
    return Collections.disjoint(touched, other.touched);
  }

  private static Aim on(String name, int instance, String server) {
    return new Aim(name, instance, server, Set.of(name));
  }
}
