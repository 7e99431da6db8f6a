package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.LedgerUnavailableException;
import io.sluice.ledger.OwnerRequest.RequestKind;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.model.BucketId;
import io.sluice.model.OrderTokens;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.owner.BucketWatch.BucketNeed;
import io.sluice.stock.StockStore;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BucketWatchTest {
  private static final int MANY = 9 * BucketRound.PAGE_MAX;
  private static final Duration OVERDUE = Duration.ofSeconds(5);

  private final OwnerScene scene = OwnerScene.withStock(10);

  @Test
  void shouldNeedASweepOnlyWhenSomethingIsUnbooked() {
    // given
    BucketNeed atFirst = need();

    // when
    scene.grant("alice", 1);

    // then
    assertThat(atFirst).isEqualTo(BucketNeed.NOTHING);
    assertThat(need()).isEqualTo(BucketNeed.SWEEP);
  }

  @Test
  void shouldNeedARebuildWhenRedisCannotVouchForIt() {
    // when
    scene.stock.restart("redis2");

    // then
    assertThat(need()).isEqualTo(BucketNeed.REBUILD);
    assertThat(BucketNeed.of(scene.row(), scene.redis(), true)).isEqualTo(BucketNeed.NOTHING);
  }

  @Test
  void shouldLookAtAllAtOnceWhenRedisIsAnotherProcess() {
    // given
    scene.addSku(MANY);
    scene.calls.of("freeze").clear();

    // when
    scene.stock.restart("redis2");
    scene.owner.watchBuckets();

    // then
    assertThat(frozen().distinct()).hasSize(MANY + 1);
  }

  @Test
  void shouldLookAtFewWhenRedisIsTheSameProcess() {
    // given
    scene.addSku(MANY);
    scene.calls.of("snapshot").clear();

    // when
    scene.owner.watchBuckets();

    // then
    assertThat(scene.calls.of("snapshot")).hasSizeLessThanOrEqualTo(BucketRound.PAGE_MAX);
  }

  /** The slow walk over all buckets would reach it only later. */
  @Test
  void shouldSweepABucketThatWasJustLoadedWithinARound() {
    // given
    scene.addSku(MANY);
    BucketId loaded = new BucketId(9_999, 0);
    SkuSettings settings = new SkuSettings(300, 0, 0, 0);
    scene.ledger.put(new NewSku(loaded.skuId(), 5, 1, Sku.Mode.FAST, settings));
    scene.ledger.request(RequestKind.LOAD, loaded);
    scene.serveRequests();
    var token = new OrderTokens(new byte[16]).tokenFor("alice", loaded, null);
    scene.stock.reserve(loaded, List.of(new StockStore.Request(token, "alice", 1)));
    scene.advance(OVERDUE);

    // when
    for (int step = 0; step < BucketRound.ROUND_STEPS; step++) {
      scene.owner.watchBuckets();
    }

    // then
    assertThat(scene.ledger.orders(List.of(token)).result()).containsKey(token);
  }

  @Test
  void shouldAskForTheDeadlinesOfAllInstancesOnceARound() {
    // given
    scene.addSku(MANY);
    scene.calls.of("longestSettings").clear();

    // when
    for (int step = 0; step < 3 * BucketRound.ROUND_STEPS; step++) {
      scene.owner.watchBuckets();
    }

    // then
    assertThat(scene.calls.of("longestSettings").size()).isBetween(2, 5);
  }

  @Test
  void shouldSeldomSweepInAStampede() {
    // given
    scene.isStampede = true;
    scene.grant("carol", 1);
    watch(2 * BucketRound.ROUND_STEPS);
    scene.grant("dan", 1);
    scene.advance(Duration.ofSeconds(5));
    scene.calls.of("overdue").clear();

    // when
    watch(BucketRound.ROUND_STEPS / 2);
    int atFirst = scene.calls.of("overdue").size();
    watch(BucketWatch.SWEEP_WAITS_MAX);
    int then = scene.calls.of("overdue").size();
    watch(BucketRound.ROUND_STEPS / 2);

    // then
    assertThat(atFirst).isZero();
    assertThat(then).isPositive();
    assertThat(scene.calls.of("overdue")).hasSize(then);
  }

  @Test
  void shouldTryAgainToShutAllWhenTheLedgerFailsAsItBegins() {
    // given
    long epoch = lookedBack();
    failWholeRebuild();
    scene.work();
    long meanwhile = scene.row().epoch();

    // when
    scene.calls.instead.clear();
    scene.settle();

    // then
    assertThat(meanwhile).isEqualTo(epoch);
    assertThat(scene.row().epoch()).isGreaterThan(epoch);
  }

  @Test
  void shouldShutAllOnceWhenTheLedgerWentBackOnce() {
    // given
    lookedBack();
    scene.settle();
    long epoch = scene.row().epoch();

    // when
    scene.takeOver();
    scene.settle();

    // then
    assertThat(scene.row().epoch()).isEqualTo(epoch);
  }

  /** Puts the ledger back and takes the partition over again; returns the epoch at that time. */
  private long lookedBack() {
    Runnable restore = scene.ledger.backup();
    scene.placed("alice", 1);
    scene.settle();
    restore.run();
    scene.takeOver();
    return scene.row().epoch();
  }

  private void failWholeRebuild() {
    scene.calls.instead.put(
        "buckets",
        call ->
            (int) call[2] == Rebuilder.PAGE_MAX
                ? Future.failedFuture(new LedgerUnavailableException("away", null))
                : null);
  }

  private void watch(int steps) {
    for (int step = 0; step < steps; step++) {
      scene.owner.watchBuckets();
    }
  }

  private BucketNeed need() {
    return BucketNeed.of(scene.row(), scene.redis(), false);
  }

  private Stream<Object> frozen() {
    return scene.calls.of("freeze").stream().map(call -> call[0]);
  }
}
