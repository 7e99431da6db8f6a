package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.owner.OwnerSupervisor.Settling;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SettlingTest {
  private static final Set<Integer> SHARE = Set.of(1, 3);

  private final AtomicLong nanos = new AtomicLong(-5);
  private final Set<Integer> takenOver = new HashSet<>();
  private final List<Promise<Optional<Set<Integer>>>> questions = new ArrayList<>();
  private final Settling unit = new Settling(this::ask, takenOver::containsAll, nanos::get);

  @Test
  void shouldSettleOnlyWhenTheOwnersOfItsShareHaveTakenOver() {
    // given
    takenOver.add(1);

    // when
    answer(Optional.of(SHARE));
    boolean early = unit.isSettled();
    takenOver.add(3);
    answer(Optional.of(SHARE));

    // then
    assertThat(early).isFalse();
    assertThat(unit.isSettled()).isTrue();
  }

  @Test
  void shouldNotSettleWhileTheGroupIsNotAtRest() {
    // given
    takenOver.addAll(SHARE);

    // when
    answer(Optional.empty());
    unit.look();
    questions.get(1).fail("away");

    // then
    assertThat(unit.isSettled()).isFalse();
  }

  @Test
  void shouldSettleWhenTheGroupNeedsNoneOfItsOwners() {
    // when
    answer(Optional.of(Set.of()));

    // then
    assertThat(unit.isSettled()).isTrue();
  }

  @Test
  void shouldAskOneQuestionAtATime() {
    // when
    unit.look();
    unit.look();

    // then
    assertThat(questions).hasSize(1);
  }

  @Test
  void shouldBeReadyWithoutOwnersWhenTheGroupNeverComesToRest() {
    // given
    unit.look();

    // when
    nanos.addAndGet(Settling.WAIT_MAX.toNanos() - 1);
    unit.look();
    boolean early = unit.isSettled();
    nanos.incrementAndGet();
    unit.look();

    // then
    assertThat(early).isFalse();
    assertThat(unit.isSettled()).isTrue();
  }

  private void answer(Optional<Set<Integer>> share) {
    unit.look();
    questions.get(questions.size() - 1).complete(share);
  }

  private Future<Optional<Set<Integer>>> ask() {
    Promise<Optional<Set<Integer>>> question = Promise.promise();
    questions.add(question);
    return question.future();
  }
}
