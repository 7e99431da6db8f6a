package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.async.Backoff;
import io.sluice.ledger.LedgerUnavailableException;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.vertx.core.Future;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BookingFailuresTest {
  private static final LedgerUnavailableException AWAY =
      new LedgerUnavailableException("away", null);

  private final OwnerScene scene = OwnerScene.withStock(100);

  @Test
  void shouldBookAllTheSameWhenTheLedgerWasAwayForAWhile() {
    // given
    scene.placed("alice", 1);
    scene.calls.fail("apply", AWAY);
    scene.work();

    // when
    scene.calls.instead.clear();
    boolean atOnce = scene.isBooked("alice");
    scene.advance(Backoff.FIRST);

    // then
    assertThat(atOnce).isFalse();
    assertThat(scene.isBooked("alice")).isTrue();
  }

  @Test
  void shouldWaitLongerAfterEachFailureUntilItSucceeds() {
    // given
    scene.placed("alice", 1);
    scene.calls.fail("apply", AWAY);
    scene.work();
    scene.calls.of("apply").clear();

    // when
    scene.advance(Backoff.FIRST);
    scene.advance(Backoff.FIRST);
    int whileItDoubles = scene.calls.of("apply").size();
    scene.calls.instead.clear();
    scene.advance(Backoff.FIRST);
    scene.placed("bob", 1);
    scene.calls.fail("apply", AWAY);
    scene.work();
    scene.calls.instead.clear();
    scene.advance(Backoff.FIRST);

    // then
    assertThat(whileItDoubles).isEqualTo(1);
    assertThat(scene.isBooked("alice")).isTrue();
    assertThat(scene.isBooked("bob")).as("the backoff restarts after a success").isTrue();
  }

  @Test
  void shouldTrySmallerSlicesWhenOneFailsAgainAndAgain() {
    // given
    placeMany(16);
    scene.calls.fail("apply", AWAY);

    // when
    scene.work();
    for (int retry = 0; retry < 6; retry++) {
      scene.advance(Backoff.MAX);
    }

    // then
    assertThat(slices()).containsExactly(16, 16, 8, 4, 2, 1, 1);
  }

  @Test
  void shouldGoBackToWholeSlicesOnceItSucceeds() {
    // given
    placeMany(16);
    scene.calls.fail("apply", AWAY);
    scene.work();
    for (int retry = 0; retry < 5; retry++) {
      scene.advance(Backoff.MAX);
    }
    scene.calls.of("apply").clear();

    // when
    scene.calls.instead.clear();
    scene.advance(Backoff.MAX);

    // then
    assertThat(slices()).containsExactly(1, 2, 4, 8, 1);
    assertThat(scene.row().held()).isEqualTo(16);
  }

  /** A single failure does not show that the data is at fault, so the slice keeps its size. */
  @Test
  void shouldTryTheSameSliceAgainAfterEachSingleFailure() {
    // given
    placeMany(4);
    scene.calls.fail("apply", AWAY);
    scene.work();
    scene.calls.instead.clear();
    scene.advance(Backoff.MAX);
    IntStream.range(4, 8).forEach(number -> scene.placed("buyer" + number, 1));
    scene.calls.fail("apply", AWAY);
    scene.work();
    scene.calls.of("apply").clear();

    // when
    scene.calls.instead.clear();
    scene.advance(Backoff.MAX);

    // then
    assertThat(slices()).containsExactly(4);
  }

  /** The lost commit must be found although the next attempt is another slice. */
  @Test
  void shouldGoOnBehindWhatWasBookedWhenTheReplyWasLost() {
    // given
    placeMany(4);
    scene.calls.instead.put(
        "apply",
        call -> scene.ledger.apply(List.of(StoreCalls.batch(call))).compose(done -> away()));
    scene.work();
    scene.calls.fail("apply", AWAY);
    scene.advance(Backoff.MAX);
    scene.placed("late", 1);

    // when
    scene.calls.instead.clear();
    scene.work();
    scene.advance(Backoff.MAX);
    scene.advance(Backoff.MAX);

    // then
    assertThat(scene.lost).isFalse();
    assertThat(scene.row().held()).isEqualTo(5);
    assertThat(scene.isBooked("late")).isTrue();
    assertThat(slices()).last().isEqualTo(1);
  }

  @Test
  void shouldTryNoMoreOnceItIsLost() {
    // given
    Grant grant = scene.placed("alice", 1);
    scene.work();
    scene.append(new Command.Confirm(grant.token()));
    scene.calls.instead.put(
        "apply",
        call -> {
          scene.ledger.takeOver(OwnerScene.PARTITION, 0);
          return null;
        });
    scene.work();
    scene.calls.of("apply").clear();

    // when
    scene.advance(Backoff.MAX);

    // then
    assertThat(scene.lost).isTrue();
    assertThat(scene.calls.of("apply")).isEmpty();
  }

  @Test
  void shouldBookNothingMoreWhenItWasStopped() {
    // given
    scene.owner.stop();
    scene.placed("alice", 1);

    // when
    scene.work();

    // then
    assertThat(scene.isBooked("alice")).isFalse();
  }

  private void placeMany(int count) {
    IntStream.range(0, count).forEach(number -> scene.placed("buyer" + number, 1));
    scene.calls.of("apply").clear();
  }

  /** The sizes of the slices that were sent to the ledger. */
  private List<Integer> slices() {
    return scene.calls.of("apply").stream()
        .map(StoreCalls::batch)
        .filter(batch -> batch.step().advances())
        .map(batch -> batch.commands().size())
        .toList();
  }

  private static Future<?> away() {
    return Future.failedFuture(AWAY);
  }
}
