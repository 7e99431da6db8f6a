package io.sluice.chaos.fault;

import java.util.Collections;
import java.util.Random;
import java.util.Set;

/**
 * What a fault falls on.
 *
 * @param name such as {@code instance 0}, {@code Redis}, {@code instance 1 to Kafka}
 * @param instance the one that is concerned, where one is
 * @param server the one that is concerned, where one is
 * @param touched all that may not be broken otherwise at the same time
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
      case DATABASE -> on(Targets.DATABASE, instance, server);
      case LOG ->
          new Aim("order log", instance, server, Set.of(Targets.KAFKA, Targets.DATABASE, one));
      case STORE -> new Aim(server + " and " + one, instance, server, Set.of(server, one));
    };
  }

  /** Whether both can be broken at the same time. */
  boolean isApartFrom(Aim other) {
    return Collections.disjoint(touched, other.touched);
  }

  private static Aim on(String name, int instance, String server) {
    return new Aim(name, instance, server, Set.of(name));
  }
}
