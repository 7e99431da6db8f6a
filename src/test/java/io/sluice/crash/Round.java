package io.sluice.crash;

import static org.awaitility.Awaitility.await;

import io.sluice.crash.CrashTable.Point;
import io.sluice.testkit.kafka.GroupMembers;
import io.sluice.testkit.site.SaleSite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.core.ConditionTimeoutException;

/** One stage, and suspects that are killed on it, each at its own point. */
final class Round {
  private static final Duration DEATH_LIMIT = Duration.ofSeconds(30);
  private static final Duration ACT_EVERY = Duration.ofMillis(100);

  private final SaleSite site;
  private final GroupMembers group;
  private final Scene scene;
  private final List<Cast> casts;
  private int buried;

  record Cast(Point point, Suspect suspect) {
    void arm() {
      var orders = new ArrayList<>(point.scene().conditions());
      orders.add(Steps.Verb.KILL + " " + point);
      suspect.tell(orders);
    }

    @Override
    public String toString() {
      return point.toString();
    }
  }

  Round(SaleSite site, GroupMembers group, Scene scene, List<Cast> casts) {
    this.site = site;
    this.group = group;
    this.scene = scene;
    this.casts = casts;
  }

  /** Returns when all suspects were killed and are restarting. */
  Stage play() {
    Stage stage = scene == Scene.START ? startArmed() : armStarted();
    try {
      await().atMost(DEATH_LIMIT).pollInterval(ACT_EVERY).until(() -> !act(stage));
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(
          "Expected to be killed within %s: %s of %s".formatted(DEATH_LIMIT, alive(), casts));
    }
    for (Cast cast : casts) {
      cast.suspect().expectKilledAt(cast.point().step());
      cast.suspect().tell(List.of());
      cast.suspect().process().start();
    }
    return stage;
  }

  private Stage startArmed() {
    Stage stage = newStage();
    casts.forEach(cast -> cast.suspect().process().kill());
    group.evict();
    casts.forEach(Cast::arm);
    casts.forEach(cast -> cast.suspect().process().start());
    return stage;
  }

  private Stage armStarted() {
    casts.forEach(cast -> cast.suspect().revive());
    casts.forEach(cast -> cast.suspect().process().awaitReady());
    Stage stage = newStage();
    casts.forEach(Cast::arm);
    return stage;
  }

  private Stage newStage() {
    Stage stage = new Stage(site, site.instance(0), scene.paymentWindow());
    scene.prepare(stage);
    return stage;
  }

  /** Acts on all suspects that are alive; false where there is none. */
  private boolean act(Stage stage) {
    List<Cast> alive = alive();
    if (casts.size() - alive.size() > buried) {
      buried = casts.size() - alive.size();
      group.evict();
    }
    alive.forEach(cast -> scene.act(stage, cast.suspect().process()));
    return !alive.isEmpty();
  }

  private List<Cast> alive() {
    return casts.stream().filter(cast -> !cast.suspect().isDead()).toList();
  }
}
