package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockUnavailableException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What has ended is looked for in Redis: all of it where Redis may have it again, else a page each
 * minute. An owner looked at all that had ever ended, each minute.
 */
class EndWatchTest {
  private static final int PAGE = StockStore.BUCKETS_MAX;
  private static final List<BucketId> ENDED =
      IntStream.range(0, 2 * PAGE + 100).mapToObj(n -> new BucketId(5_000 + n, 0)).toList();

  private final OwnerScene scene = OwnerScene.withStock(10);

  @BeforeEach
  void endMany() {
    scene.calls.instead.put("goneBuckets", asked -> Future.succeededFuture(page(asked)));
    scene.calls.of("hasAny").clear();
    scene.calls.of("goneBuckets").clear();
  }

  @SuppressWarnings("unchecked")
  private static List<BucketId> page(Object[] asked) {
    Optional<BucketId> after = (Optional<BucketId>) asked[1];
    return ENDED.stream()
        .filter(id -> after.isEmpty() || id.compareTo(after.get()) > 0)
        .limit((int) asked[2])
        .toList();
  }

  /** The pages that Redis was asked for since the last time, in order. */
  private List<Integer> looked() {
    List<Object[]> asked = scene.calls.of("hasAny");
    List<Integer> looked =
        asked.stream()
            .map(call -> (List<?>) call[0])
            .filter(page -> page.size() > 1)
            .map(page -> ENDED.indexOf(page.get(0)) / PAGE)
            .toList();
    asked.clear();
    return looked;
  }

  private List<Integer> minute() {
    scene.owner.watchEnds();
    scene.settle();
    return looked();
  }

  /** Redis fails when it is asked for these, or says that it has them. */
  private void answer(BucketId first, Future<Boolean> answer) {
    scene.calls.instead.put(
        "hasAny",
        asked -> {
          List<?> page = (List<?>) asked[0];
          return page.size() > 1 && page.get(0).equals(first) ? answer : null;
        });
  }

  @Test
  void shouldLookAtOnePageInAMinuteHoweverManyHaveEnded() {
    // when
    List<List<Integer>> minutes = IntStream.range(0, 4).mapToObj(minute -> minute()).toList();

    // then
    assertThat(minutes).containsExactly(List.of(0), List.of(1), List.of(2), List.of(0));
    assertThat(scene.calls.of("goneBuckets")).as("statements").hasSize(4);
  }

  @Test
  void shouldLookAtAllAtOnceWhenRedisHasANewHistory() {
    // given
    minute();

    // when
    scene.stock.restart("redis2");
    scene.settle();

    // then
    assertThat(looked()).containsExactly(0, 1, 2);
    assertThat(minute()).containsExactly(0);
  }

  @Test
  void shouldLookAtAllAtOnceAfterATakeOver() {
    // given
    minute();
    scene.owner.stop();

    // when
    scene.takeOver();
    scene.settle();

    // then
    assertThat(looked()).containsExactly(0, 1, 2);
  }

  /** The page was asked for before, and its answer says nothing of what Redis has now. */
  @Test
  void shouldBeginAnewWhenTheHistoryChangesWhileAPageIsRead() {
    // given
    Promise<List<BucketId>> reading = Promise.promise();
    scene.calls.instead.put("goneBuckets", asked -> reading.future());
    scene.owner.watchEnds();
    scene.stock.restart("redis2");
    scene.settle();
    endMany();

    // when
    reading.complete(ENDED.subList(0, PAGE));
    scene.settle();

    // then
    assertThat(looked()).containsExactly(0, 0, 1, 2);
  }

  @Test
  void shouldGoOnWithThePageThatFailed() {
    // given
    answer(ENDED.get(PAGE), Future.failedFuture(new StockUnavailableException("away", null)));
    scene.stock.restart("redis2");
    scene.settle();
    looked();
    scene.calls.instead.remove("hasAny");

    // when
    List<List<Integer>> minutes = List.of(minute(), minute());

    // then
    assertThat(minutes).containsExactly(List.of(1, 2), List.of(0));
  }

  /** Where one is left, others may be. */
  @Test
  void shouldLookAtAllAMinuteAfterOneWasFound() {
    // given
    minute();
    answer(ENDED.get(PAGE), Future.succeededFuture(true));
    minute();
    scene.calls.instead.remove("hasAny");

    // when
    List<List<Integer>> minutes = List.of(minute(), minute());

    // then
    assertThat(minutes).containsExactly(List.of(0, 1, 2), List.of(0));
  }
}
