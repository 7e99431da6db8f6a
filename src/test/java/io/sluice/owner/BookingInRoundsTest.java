package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.ManualLoop;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.Ledger.Batch;
import io.sluice.ledger.Step;
import io.sluice.ledger.Step.Result;
import io.sluice.ledger.Step.Result.Applied;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.sluice.orderlog.InMemoryEvents;
import io.sluice.orderlog.InMemoryOrderLog;
import io.sluice.orderlog.LogBatch;
import io.sluice.orderlog.LogBatch.LogRecord;
import io.sluice.stock.InMemoryStock;
import io.sluice.testkit.ManualClock;
import io.sluice.testkit.Ports;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When the commands of an owner are booked, and with whose. */
class BookingInRoundsTest {
  private static final Duration MS = Duration.ofMillis(1);
  private static final Fence OTHER = new Fence(1, 1, 0);
  private static final OrderToken TOKEN =
      OrderToken.parse("7.0.AAAAAAAAAAAAAAAAAAAAAA").orElseThrow();
  private static final Command TIMEOUT = new Command.Cancel(TOKEN, Reason.TIMEOUT);
  private static final Command PAYMENT = new Command.Confirm(TOKEN);
  private static final Grant GRANT = Grants.of(TOKEN, "alice", 1, 1, 1, 0, 0);

  private final ManualLoop time = new ManualLoop();
  private final List<List<Batch>> applied = new ArrayList<>();
  private final List<Promise<List<Result>>> answers = new ArrayList<>();
  private boolean isStampede;
  private final Ledger ledger = Ports.partly(Ledger.class, this);
  private final BookingRounds rounds = new BookingRounds(time.loop(), ledger, 1, () -> isStampede);
  private final OwnerContext context =
      OwnerScene.context(
          new Ownership(new Fence(0, 1, 0), new KnownFences(), () -> {}),
          ledger,
          new InMemoryStock(new ManualClock(), "redis1"),
          new InMemoryOrderLog(),
          new InMemoryEvents());
  private int awaitedElsewhere;
  private final Booking unit =
      new Booking(
          context,
          rounds,
          new Booking.FlowControl() {
            @Override
            public void pause() {}

            @Override
            public void resume() {}
          },
          () -> awaitedElsewhere++);

  Future<List<Result>> apply(List<Batch> round) {
    applied.add(round);
    answers.add(Promise.promise());
    return answers.get(answers.size() - 1).future();
  }

  Future<Long> nowMs() {
    return Future.succeededFuture(0L);
  }

  private void othersBook() {
    Batch batch = new Batch(Step.advance(OTHER, 1), List.of(new Command.Malformed("", "")), true);
    rounds.join(1, true).compose(turn -> turn.apply(batch));
    time.advance(BookingRounds.OTHERS);
  }

  private List<Integer> partitions(int round) {
    return applied.get(round).stream().map(batch -> batch.step().partition()).toList();
  }

  @Test
  void shouldHurryNoRoundWhenAnOrderTimesOut() {
    // given
    isStampede = true;
    othersBook();
    time.advance(Duration.ofMillis(10));
    answers.get(0).complete(List.of(new Result.FenceLost(OTHER)));

    // when
    unit.join(List.of(TIMEOUT));
    time.advance(Duration.ofMillis(9 * 10).minus(MS));
    int early = applied.size();
    time.advance(MS);

    // then
    assertThat(early).isEqualTo(1);
    assertThat(partitions(1)).containsExactly(0);
  }

  @Test
  void shouldTakePartWhenItsOtherTransactionEndsSoon() {
    // given
    Promise<Void> compared = Promise.promise();
    context.sequencer().take("comparison", compared::future);
    unit.join(List.of(TIMEOUT));
    othersBook();
    int early = applied.size();

    // when
    time.advance(BookingRounds.GATHERS_MAX.minus(MS));
    compared.complete();

    // then
    assertThat(early).isZero();
    assertThat(applied).hasSize(1);
    assertThat(partitions(0)).containsExactly(0, 1);
  }

  @Test
  void shouldHoldUpNoOtherPartitionWhenItsOtherTransactionTakesLong() {
    // given
    Promise<Void> compared = Promise.promise();
    context.sequencer().take("comparison", compared::future);
    unit.join(List.of(TIMEOUT));
    othersBook();

    // when
    time.advance(BookingRounds.GATHERS_MAX);
    List<Integer> others = partitions(0);
    compared.complete();
    time.advance(BookingRounds.SOON.minus(BookingRounds.GATHERS_MAX));
    int early = applied.size();
    answers.get(0).complete(List.of(new Result.FenceLost(OTHER)));

    // then
    assertThat(others).containsExactly(1);
    assertThat(early).isEqualTo(1);
    assertThat(partitions(1)).as("in the next round").containsExactly(0);
  }

  @ParameterizedTest
  @CsvSource({"PAYMENT, 1", "GRANT, 0"})
  void shouldSayIfACallerOfAnotherInstanceMayWaitForWhatIsBooked(String kind, int expected) {
    // given
    Command command = kind.equals("GRANT") ? new Command.Reserve(GRANT, null) : PAYMENT;
    unit.polled(new LogBatch(0, 0, 1, List.of(new LogRecord(0, 0, true, List.of(command)))));
    time.advance(BookingRounds.LATER);
    int early = awaitedElsewhere;

    // when
    answers.get(0).complete(List.of(Applied.before(Set.of(), Map.of())));

    // then
    assertThat(early).isZero();
    assertThat(awaitedElsewhere).isEqualTo(expected);
  }
}
