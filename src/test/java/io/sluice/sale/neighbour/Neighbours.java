package io.sluice.sale.neighbour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.kafka.GroupMembers;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A site with one instance of each release. */
final class Neighbours {
  /** Longer than the session of a killed member. */
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final SaleSite site;
  private final Side first;
  private final Map<Side, SluiceProcess> instances = new EnumMap<>(Side.class);

  /**
   * @param first to start; if it is the present release, the way back to the other one is open
   */
  Neighbours(SaleSite site, Side first) {
    this.site = site;
    this.first = first;
  }

  /**
   * An instance of the release before is killed: for a day it may come back, so the level of the
   * ledger is not raised. It founds the ledger if there is none.
   */
  static void keepTheWayBack(SaleSite site) {
    site.newInstance(Map.of(), Side.KEPT.release()).start().awaitReady().kill();
  }

  /** Starts those that do not run, one after the other; returns once each owns partitions. */
  void bringUp() {
    try (var group = new GroupMembers(site.backends().kafka().bootstrapServers(), site.group())) {
      Set<String> before = group.owning();
      int started = start();
      await().atMost(LIMIT).until(() -> isShared(before, group.owning(), started));
    }
  }

  private int start() {
    if (first == Side.PRESENT && instances.isEmpty()) {
      keepTheWayBack(site);
    }
    int started = 0;
    for (Side side : List.of(first, first.other())) {
      SluiceProcess instance =
          instances.computeIfAbsent(side, any -> site.newInstance(Map.of(), side.release()));
      if (!instance.isAlive()) {
        instance.start().awaitReady();
        started++;
      }
    }
    return started;
  }

  /** A killed one is a member until its session ends, so that two owners may be the old two. */
  private static boolean isShared(Set<String> before, Set<String> now, int started) {
    long joined = now.stream().filter(member -> !before.contains(member)).count();
    return now.size() == Side.values().length && joined >= started;
  }

  SluiceProcess instance(Side side) {
    return instances.get(side);
  }

  /** The sale through the instance of that release only. */
  Sale at(Side side, Sale sale) {
    return sale.at(instance(side));
  }

  /** Neither killed nor paused instances, nor those beside them, have a reason for an error. */
  static void assertNoErrors(SaleSite site) {
    for (SluiceProcess instance : site.instances()) {
      assertThat(instance.log().lines().filter(line -> line.matches(".* ERROR .*|.*ALARM.*")))
          .as(instance.logFile().toString())
          .isEmpty();
    }
  }
}
