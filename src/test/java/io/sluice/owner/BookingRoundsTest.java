package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.ManualLoop;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.Ledger.Batch;
import io.sluice.ledger.Step;
import io.sluice.ledger.Step.Result;
import io.sluice.ledger.UnprocessableException;
import io.sluice.model.Command;
import io.sluice.owner.BookingRounds.Turn;
import io.sluice.testkit.Ports;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BookingRoundsTest {
  private static final Duration MS = Duration.ofMillis(1);

  private final ManualLoop time = new ManualLoop();
  private final List<List<Batch>> applied = new ArrayList<>();
  private final List<Promise<List<Result>>> answers = new ArrayList<>();
  private boolean stampede;
  private final BookingRounds unit = withWriters(1);

  private BookingRounds withWriters(int writers) {
    return new BookingRounds(
        time.loop(), Ports.partly(Ledger.class, this), writers, () -> stampede);
  }

  Future<List<Result>> apply(List<Batch> round) {
    applied.add(round);
    answers.add(Promise.promise());
    return answers.get(answers.size() - 1).future();
  }

  private static Batch batch(int partition, int commands) {
    Step step = Step.advance(new Fence(partition, 1, 0), 1);
    return new Batch(step, Collections.nCopies(commands, new Command.Malformed("", "")), true);
  }

  private Future<Result> joins(int partition, boolean isAwaited) {
    return unit.join(1, isAwaited).compose(turn -> turn.apply(batch(partition, 1)));
  }

  private List<Integer> partitions(int round) {
    return applied.get(round).stream().map(batch -> batch.step().partition()).toList();
  }

  /** Ends the last round with another result for each of its batches. */
  private void end() {
    List<Result> results =
        applied.get(applied.size() - 1).stream()
            .<Result>map(one -> new Result.FenceLost(new Fence(one.step().partition(), 9, 9)))
            .toList();
    answers.get(answers.size() - 1).complete(results);
  }

  /** A round that took this long. */
  private void booked(Duration length) {
    joins(0, true);
    time.advance(BookingRounds.OTHERS);
    time.advance(length);
    end();
  }

  @Test
  void shouldBeginWhileOneIsUnderWayWithTwoWriters() {
    // given
    BookingRounds two = withWriters(2);

    // when
    for (int partition = 0; partition < 3; partition++) {
      Batch mine = batch(partition, 1);
      two.join(1, true).compose(turn -> turn.apply(mine));
      time.advance(BookingRounds.SOON.plus(BookingRounds.OTHERS));
    }

    // then
    assertThat(applied).hasSize(2);

    // and when
    end();
    time.advance(BookingRounds.OTHERS);

    // then
    assertThat(applied).hasSize(3);
    assertThat(partitions(2)).containsExactly(2);
  }

  @Test
  void shouldBeginNoOtherInAStampedeWithTwoWriters() {
    // given
    BookingRounds two = withWriters(2);
    stampede = true;

    // when
    for (int partition = 0; partition < 2; partition++) {
      Batch mine = batch(partition, 1);
      two.join(1, false).compose(turn -> turn.apply(mine));
      time.advance(BookingRounds.REST_MAX);
    }

    // then
    assertThat(applied).hasSize(1);
  }

  @Test
  void shouldBookAllThatWaitInOneTransactionAndTellEachItsResult() {
    // given
    Future<Result> second = joins(2, false);
    Future<Result> first = joins(1, false);
    time.advance(BookingRounds.OTHERS);

    // when
    end();

    // then
    assertThat(applied).hasSize(1);
    assertThat(partitions(0)).containsExactly(1, 2);
    assertThat(first.result()).isEqualTo(new Result.FenceLost(new Fence(1, 9, 9)));
    assertThat(second.result()).isEqualTo(new Result.FenceLost(new Fence(2, 9, 9)));
  }

  /** After a round of five milliseconds, from its beginning. */
  @ParameterizedTest
  @CsvSource({"true, false, 10", "false, false, 20", "true, true, 10", "false, true, 50"})
  void shouldBeginTheNextRoundAtItsPace(boolean isAwaited, boolean rests, int afterMs) {
    // given
    booked(Duration.ofMillis(5));
    stampede = rests;
    joins(0, isAwaited);

    // when
    time.advance(Duration.ofMillis(afterMs - 5).minus(MS));
    int early = applied.size();
    time.advance(MS);

    // then
    assertThat(early).isEqualTo(1);
    assertThat(applied).hasSize(2);
  }

  @Test
  void shouldRestNoLongerThanItsMaximum() {
    // given
    booked(Duration.ofSeconds(3));
    stampede = true;
    joins(0, false);

    // when
    time.advance(BookingRounds.REST_MAX.minus(MS));
    int early = applied.size();
    time.advance(MS);

    // then
    assertThat(early).isEqualTo(1);
    assertThat(applied).hasSize(2);
  }

  /** Neither that, nor a round to which nobody brought anything. */
  @Test
  void shouldNotCountTheWaitForSlicesWhenItRests() {
    // given
    unit.join(1, true);
    joins(0, true);
    time.advance(BookingRounds.OTHERS);
    time.advance(BookingRounds.GATHERS_MAX);
    time.advance(Duration.ofMillis(10));
    end();
    unit.join(1, true);
    time.advance(BookingRounds.OTHERS);
    stampede = true;
    joins(0, false);

    // when
    time.advance(Duration.ofMillis(10 + 9 * 10).minus(MS));
    int early = applied.size();
    time.advance(MS);

    // then
    assertThat(early).isEqualTo(1);
    assertThat(applied).hasSize(2);
  }

  @Test
  void shouldEndTheRestWhenACallerWaits() {
    // given
    booked(Duration.ofMillis(100));
    stampede = true;
    joins(0, false);
    time.advance(BookingRounds.LATER);
    int early = applied.size();

    // when
    unit.hurry();

    // then
    assertThat(early).isEqualTo(1);
    assertThat(applied).hasSize(2);
  }

  @Test
  void shouldWaitForNoOwnerThatBringsNothing() {
    // given
    joins(1, true);
    Future<Turn> silent = unit.join(1, true);

    // when
    time.advance(BookingRounds.OTHERS);
    int early = applied.size();
    time.advance(BookingRounds.GATHERS_MAX);
    silent.result().apply(batch(3, 1));
    joins(2, false);
    end();
    time.advance(BookingRounds.SOON);

    // then
    assertThat(early).isZero();
    assertThat(partitions(0)).containsExactly(1);
    assertThat(partitions(1)).as("in the next round").containsExactly(2, 3);
  }

  @Test
  void shouldBookWhatCameTooLateSoonAndWithoutAnother() {
    // given
    booked(Duration.ofMillis(100));
    Future<Turn> silent = unit.join(1, false);
    time.advance(BookingRounds.OTHERS);
    time.advance(BookingRounds.GATHERS_MAX);
    Future<Result> late = silent.result().apply(batch(3, 1));

    // when
    time.advance(BookingRounds.SOON.minus(BookingRounds.GATHERS_MAX).minus(MS));
    int early = applied.size();
    time.advance(MS);
    end();

    // then
    assertThat(early).isEqualTo(1);
    assertThat(partitions(1)).containsExactly(3);
    assertThat(late.succeeded()).isTrue();
  }

  /** Nothing else of its owner goes on until then. */
  @Test
  void shouldBookWhatCameTooLateAloneWhenTheNextRoundWouldRest() {
    // given
    Future<Turn> silent = unit.join(1, false);
    joins(1, false);
    time.advance(BookingRounds.OTHERS);
    time.advance(BookingRounds.GATHERS_MAX);
    stampede = true;

    // when
    silent.result().apply(batch(3, 1));

    // then
    assertThat(partitions(0)).containsExactly(1);
    assertThat(partitions(1)).containsExactly(3);
  }

  /** As of an owner that has lost its partition, and of the next one in this instance. */
  @Test
  void shouldBookNoPartitionTwiceInARound() {
    // given
    Future<Turn> silent = unit.join(1, true);
    time.advance(BookingRounds.OTHERS.plus(BookingRounds.GATHERS_MAX));
    silent.result().apply(batch(3, 1));
    Future<Result> next = joins(3, true);
    joins(4, true);

    // when
    time.advance(BookingRounds.SOON);
    end();
    time.advance(BookingRounds.SOON);
    end();

    // then
    assertThat(partitions(0)).containsExactly(3, 4);
    assertThat(partitions(1)).containsExactly(3);
    assertThat(next.succeeded()).isTrue();
  }

  @Test
  void shouldWaitForNoOwnerThatIsAloneAndSilent() {
    // given
    unit.join(1, true);
    time.advance(BookingRounds.OTHERS);

    // when
    joins(1, true);
    time.advance(BookingRounds.GATHERS_MAX.plus(BookingRounds.LATER));

    // then
    assertThat(partitions(0)).containsExactly(1);
  }

  @Test
  void shouldFailAllAndGoOnWhenARoundFails() {
    // given
    Future<Result> first = joins(1, true);
    Future<Result> second = joins(2, true);
    time.advance(BookingRounds.OTHERS);

    // when
    answers.get(0).fail("away");
    joins(1, true);
    time.advance(BookingRounds.SOON);

    // then
    assertThat(first.failed()).isTrue();
    assertThat(second.failed()).isTrue();
    assertThat(applied).hasSize(2);
  }

  @Test
  void shouldTellEachToGoAloneWhenTheDataOfOneIsRefused() {
    // given
    Future<Result> sound = joins(1, true);
    Future<Result> poison = joins(2, true);
    time.advance(BookingRounds.OTHERS);

    // when
    answers.get(0).fail(new UnprocessableException("too long", null));

    // then
    assertThat(sound.result()).isInstanceOf(Result.NotJoined.class);
    assertThat(poison.result()).isInstanceOf(Result.NotJoined.class);
  }

  @Test
  void shouldFailWhenTheDataOfTheOnlyOneIsRefused() {
    // given
    Future<Result> poison = joins(2, true);
    time.advance(BookingRounds.OTHERS);

    // when
    answers.get(0).fail(new UnprocessableException("too long", null));

    // then
    assertThat(poison.cause()).isInstanceOf(UnprocessableException.class);
  }

  @Test
  void shouldGoOnWhenARoundNeverEnds() {
    // given
    joins(0, true);
    time.advance(BookingRounds.OTHERS);
    joins(1, true);
    time.advance(BookingRounds.LATER);
    time.stall(BookingRounds.STUCK_AFTER);

    // when
    time.advance(BookingRounds.OTHERS);
    joins(2, true);
    answers.get(0).fail("late");
    time.advance(BookingRounds.LATER);

    // then
    assertThat(applied).as("the late end is not that of the second").hasSize(2);
  }

  @Test
  void shouldTakeSmallQueuesWholeAndGiveTheRestToTheLargeOne() {
    // given
    Future<Turn> small = unit.join(10, true);
    Future<Turn> large = unit.join(100_000, true);
    Future<Turn> other = unit.join(20, true);

    // when
    time.advance(BookingRounds.OTHERS);

    // then
    assertThat(small.result().linesMax()).isGreaterThanOrEqualTo(10);
    assertThat(other.result().linesMax()).isGreaterThanOrEqualTo(20);
    assertThat(large.result().linesMax()).isEqualTo(2_000 - 30);
  }

  @Test
  void shouldTakeLessWhenSomethingCameTooLate() {
    // given
    Future<Turn> silent = unit.join(1, true);
    time.advance(BookingRounds.OTHERS.plus(BookingRounds.GATHERS_MAX));
    silent.result().apply(batch(3, 1_200));
    Future<Turn> large = unit.join(100_000, true);

    // when
    time.advance(BookingRounds.SOON);

    // then
    assertThat(large.result().linesMax()).isEqualTo(2_000 - 1_200);
  }

  @Test
  void shouldTakeLessWhenRoundsTakeLong() {
    // given
    for (int round = 0; round < 20; round++) {
      unit.join(1_000, true).onSuccess(turn -> turn.apply(batch(0, 1_000)));
      time.advance(BookingRounds.SOON.plus(BookingRounds.OTHERS));
      time.advance(Duration.ofMillis(70));
      end();
    }

    // when
    Future<Turn> next = unit.join(100_000, true);
    time.advance(BookingRounds.SOON);

    // then
    assertThat(next.result().linesMax()).isBetween(600, 800);
  }
}
