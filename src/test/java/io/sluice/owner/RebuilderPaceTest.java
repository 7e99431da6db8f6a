package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.stock.StockUnavailableException;
import io.sluice.testkit.process.LogWatch;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How long rebuilds may take, what is logged about them, and when all start over. */
class RebuilderPaceTest {
  private static final long ALARM_EVERY_S = RebuildQueue.ALARM_EVERY.toSeconds();

  private final RebuildScene scene = new RebuildScene();

  private List<BucketId> buckets;

  @BeforeEach
  void loseTwo() {
    buckets = scene.lostSkus(1, 1);
  }

  /** Each freeze takes a second, in total longer than a pass may make no progress. */
  @Test
  void shouldNotStandStillWhileItFreezesMany() {
    // given
    scene.instead.put(
        "freeze",
        call -> {
          scene.tasks.tick();
          return null;
        });

    // when
    scene.request(buckets);
    scene.run();
    scene.waitForGrants();

    // then
    assertThat(scene.lost).isZero();
    assertThat(buckets).allMatch(scene::isOpen);
  }

  @Test
  void shouldNotTryToLoadEachBucketWhenTheStoreIsAway() {
    // given
    scene.failFor("load", buckets);
    scene.request(buckets);
    scene.run();

    // when
    scene.waitForGrants();

    // then
    assertThat(scene.called.get("load")).hasSize(Rebuilder.FAILURES_MAX);
  }

  /** A store is taken to be down only after failures in a row. */
  @Test
  void shouldLoadAllOthersInOneGoWhenEverySecondOneFails() {
    // given
    Set<BucketId> broken = new HashSet<>();
    for (int i = 0; i < buckets.size(); i += 2) {
      broken.add(buckets.get(i));
    }
    scene.failFor("load", broken);
    scene.request(buckets);
    scene.run();

    // when
    scene.waitForGrants();

    // then
    assertThat(buckets).filteredOn(bucket -> !broken.contains(bucket)).allMatch(scene::isOpen);
    assertThat(scene.called.get("load")).hasSize(buckets.size());
  }

  @Test
  void shouldWarnOnceOfABucketThatFailsAgainAndAgain() {
    // given
    scene.failFor("load", buckets.subList(0, 1));

    // when
    try (LogWatch logs = LogWatch.of(Rebuilder.class)) {
      scene.request(buckets.subList(0, 2));
      for (int round = 0; round < 5; round++) {
        scene.run();
        scene.waitForGrants();
        scene.retry();
      }

      // then
      assertThat(logs.lines())
          .singleElement()
          .asString()
          .contains("bucket cannot be loaded", "bucket=\"%s\"".formatted(buckets.get(0)));
    }
  }

  @Test
  void shouldWarnOnceThatNothingCanBeLoaded() {
    // given
    scene.instead.put(
        "nowMs", call -> Future.failedFuture(new StockUnavailableException("away", null)));

    // when
    try (LogWatch logs = LogWatch.of(Rebuilder.class)) {
      scene.request(buckets);
      for (int round = 0; round < 5; round++) {
        scene.run();
        scene.retry();
      }

      // then
      assertThat(logs.lines())
          .singleElement()
          .asString()
          .contains("all shut buckets are retried until it succeeds");
    }
  }

  @Test
  void shouldBePatientAnewOnceABucketIsOpen() {
    // given
    scene.failFor("load", buckets.subList(1, 2));
    scene.request(buckets.subList(0, 2));
    scene.run();

    // when
    try (LogWatch logs = LogWatch.of(RebuildQueue.class)) {
      scene.ticks(ALARM_EVERY_S - 1);
      scene.waitForGrants();
      scene.ticks(ALARM_EVERY_S - 1);

      // then
      assertThat(scene.isOpen(buckets.get(0))).isTrue();
      assertThat(logs.alarms()).isEmpty();
    }
  }

  @Test
  void shouldNotCountTheTimeInWhichNothingWasShut() {
    // given
    scene.ticks(ALARM_EVERY_S - 1);
    scene.request(buckets);

    // when
    try (LogWatch logs = LogWatch.of(RebuildQueue.class)) {
      scene.ticks(ALARM_EVERY_S - 1);

      // then
      assertThat(logs.alarms()).isEmpty();
    }
  }
}
