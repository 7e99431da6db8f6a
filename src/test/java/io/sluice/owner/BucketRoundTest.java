package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.BucketRow;
import io.sluice.ledger.BucketRows;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger;
import io.sluice.model.BucketId;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.sluice.orderlog.InMemoryEvents;
import io.sluice.orderlog.InMemoryOrderLog;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.Stamp;
import io.sluice.testkit.Ports;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A partition with fifty thousand buckets. */
class BucketRoundTest {
  private static final int MANY = 50_000;
  private static final SkuSettings SETTINGS = new SkuSettings(300, 0, 0, 0);

  private final TreeSet<BucketId> buckets = new TreeSet<>();
  private final Set<BucketId> loud = new HashSet<>();
  private final List<BucketId> looked = new ArrayList<>();
  private List<BucketId> walked = List.of();
  private int questions;
  private int rounds;
  private final Ownership ownership =
      new Ownership(new Fence(0, 1, 0), new KnownFences(), () -> {});
  private final BucketRound unit =
      new BucketRound(
          OwnerScene.context(
              ownership,
              Ports.partly(Ledger.class, this),
              Ports.partly(StockStore.class, this),
              new InMemoryOrderLog(),
              new InMemoryEvents()),
          () -> rounds++,
          row -> {
            looked.add(row.id());
            return Future.succeededFuture(!loud.contains(row.id()));
          });
  private boolean isWriting = true;
  private int writes;
  private long epoch = 2;

  @Test
  void shouldLookAtAllOfThemAtOnceAfterARestart() {
    // given
    addMany();

    // when
    int steps = walkAll();

    // then
    assertThat(walked).containsExactlyElementsOf(buckets);
    assertThat(steps).isEqualTo(MANY / BucketRound.PAGE_MAX + 1);
    assertThat(rounds).isEqualTo(1);
  }

  @Test
  void shouldFindAnyOneInWhichSomethingHappensWithinARound() {
    for (int number : List.of(0, 99, 100, MANY / 2, MANY - 1)) {
      // given
      addMany();
      walkAll();
      BucketId one = bucket(number);
      loud.add(one);

      // when
      steps(BucketRound.ROUND_STEPS);

      // then
      assertThat(looked).contains(one);
      loud.clear();
    }
  }

  @Test
  void shouldCostLittleWhenNothingHappens() {
    // given
    addMany();
    walkAll();

    // when
    steps(2 * BucketRound.ROUND_STEPS);

    // then
    assertThat(looked).hasSize(2 * BucketRound.ROUND_STEPS / BucketRound.WALK_EVERY * 100);
    assertThat(questions).isLessThanOrEqualTo(2 * MANY / BucketRound.PAGE_MAX + 16);
  }

  @Test
  void shouldBeBoundedInEachStepAndLeaveNobodyOutWhenSomethingHappensEverywhere() {
    // given
    addMany();
    walkAll();
    loud.addAll(buckets);
    int most = 0;

    // when
    for (int step = 0; step < MANY / BucketRound.PAGE_MAX / BucketRound.LOUD_MAX; step++) {
      int before = looked.size();
      steps(1);
      most = Math.max(most, looked.size() - before);
    }

    // then
    assertThat(most).isEqualTo((BucketRound.LOUD_MAX + 1) * BucketRound.PAGE_MAX);
    assertThat(Set.copyOf(looked)).hasSize(MANY);
  }

  @Test
  void shouldKnowABucketThatWasLoadedSinceTheWalk() {
    // given
    addMany();
    walkAll();
    BucketId added = new BucketId(MANY / 2, 1);
    buckets.add(added);
    unit.add(added);
    loud.add(added);

    // when
    steps(BucketRound.ROUND_STEPS);

    // then
    assertThat(looked).contains(added);
  }

  /** Each look at a bucket costs calls, and a partition of a small sale has few of them. */
  @Test
  void shouldCheckFewBucketsOnceInARound() {
    // given
    for (int number = 0; number < 4; number++) {
      buckets.add(bucket(number));
    }
    loud.addAll(buckets);
    walkAll();
    int walks = 2 * BucketRound.ROUND_STEPS / BucketRound.WALK_EVERY;

    // when
    steps(2 * BucketRound.ROUND_STEPS);

    // then
    assertThat(questions).isEqualTo(2);
    assertThat(looked).hasSize((2 + walks) * buckets.size());
  }

  /** A bucket for which no load was requested. */
  @Test
  void shouldFindANewBucketOnItsWalk() {
    // given
    addMany();
    walkAll();
    BucketId added = new BucketId(1, 1);
    buckets.add(added);

    // when
    steps(BucketRound.WALK_EVERY);

    // then
    assertThat(looked).contains(added);
  }

  /** Every call to Redis costs all SKUs of an idle sale, all day. */
  @Test
  void shouldCheckNothingWhenRedisHasWrittenNothingSinceTheWalkFoundAllInOrder() {
    // given
    addMany();
    isWriting = false;
    walkAll();
    boolean idle = unit.isIdle(stamp());

    // when
    steps(2 * BucketRound.IDLE_WALK_EVERY);

    // then
    assertThat(idle).isTrue();
    assertThat(questions).isZero();
    assertThat(looked).isEmpty();
  }

  @Test
  void shouldCheckAllWithinARoundWhenRedisHasWrittenSomethingSince() {
    // given
    addMany();
    isWriting = false;
    walkAll();
    steps(3);
    BucketId one = bucket(MANY / 2);
    loud.add(one);

    // when
    writes++;
    steps(BucketRound.ROUND_STEPS);

    // then
    assertThat(looked).contains(one);
  }

  /** As where the ledger was restored to a state in which the bucket had another epoch. */
  @Test
  void shouldLookAtABucketWhoseRowHasChangedWhenRedisWritesNothing() {
    // given
    addMany();
    isWriting = false;
    walkAll();

    // when
    epoch++;
    steps(BucketRound.IDLE_WALK_EVERY);

    // then
    assertThat(looked).hasSize(BucketRound.PAGE_MAX);
  }

  @Test
  void shouldGoOnWhenTheWalkFoundOneOutOfOrder() {
    // given
    addMany();
    isWriting = false;
    BucketId one = bucket(MANY / 2);
    loud.add(one);
    walkAll();
    boolean idle = unit.isIdle(stamp());

    // when
    steps(BucketRound.ROUND_STEPS);

    // then
    assertThat(idle).isFalse();
    assertThat(looked).contains(one);
  }

  private Stamp stamp() {
    writes += isWriting ? 1 : 0;
    return new Stamp("redis1", String.valueOf(writes));
  }

  private void addMany() {
    for (int number = 0; number < MANY; number++) {
      buckets.add(bucket(number));
    }
  }

  private static BucketId bucket(int number) {
    return new BucketId(number + 1, 0);
  }

  private int walkAll() {
    unit.restart();
    int steps = 1;
    while (unit.step(stamp()).result()) {
      steps++;
    }
    walked = List.copyOf(looked);
    looked.clear();
    questions = 0;
    return steps;
  }

  private void steps(int count) {
    for (int step = 0; step < count; step++) {
      assertThat(unit.step(stamp()).result()).isFalse();
    }
  }

  Future<List<BucketRow>> buckets(int partition, Optional<BucketId> after, int limit) {
    return Future.succeededFuture(
        after.map(from -> buckets.tailSet(from, false)).orElse(buckets).stream()
            .limit(limit)
            .map(id -> BucketRows.of(id, 0, 1, 0, 0, epoch, 1, SkuState.OPEN, SETTINGS))
            .toList());
  }

  Future<Boolean> areQuiet(List<BucketId> asked) {
    questions++;
    return Future.succeededFuture(asked.stream().noneMatch(loud::contains));
  }
}
