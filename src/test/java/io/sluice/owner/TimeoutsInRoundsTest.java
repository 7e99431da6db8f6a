package io.sluice.owner;

import static io.sluice.model.OrderStatus.CANCELED;
import static io.sluice.model.OrderStatus.CONFIRMED;
import static io.sluice.model.OrderStatus.PENDING;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.async.Backoff;
import io.sluice.ledger.DuePage.DuePlace;
import io.sluice.ledger.Ledger.Batch;
import io.sluice.ledger.LedgerUnavailableException;
import io.sluice.ledger.UnprocessableException;
import io.sluice.model.Command;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Time-outs take part in the transaction that books the log. */
class TimeoutsInRoundsTest {
  private static final int WINDOW_S = 300;
  private static final LedgerUnavailableException AWAY =
      new LedgerUnavailableException("away", null);

  private final OwnerScene scene = OwnerScene.withStock(100);
  private final Promise<Object> page = Promise.promise();

  /** Ends the transaction that is under way. */
  private final Promise<Object> first = Promise.promise();

  /** Alice's order is due, and a scan is about to learn that. */
  @BeforeEach
  void aliceHasNotPaid() {
    scene.placed("alice", 1);
    scene.work();
    scene.pass(Duration.ofSeconds(WINDOW_S - 1));
    scene.advance(Duration.ofSeconds(1));
    scene.calls.once("due", call -> page.future());
    scene.owner.scanTimeouts();
    scene.calls.of("apply").clear();
  }

  @Test
  void shouldCancelInTheTransactionThatBooksTheLog() {
    // given
    bookedWhileItIsFound();

    // when
    first.complete();

    // then
    assertThat(batches()).hasSize(2);
    assertThat(batches().get(1).step().advances()).isTrue();
    assertThat(batches().get(1).commands())
        .extracting(command -> command.getClass().getSimpleName())
        .containsExactly("Reserve", "Cancel");
    assertThat(scene.order("alice").status()).isEqualTo(CANCELED);
    assertThat(scene.isBooked("carol")).isTrue();
  }

  @Test
  void shouldTakeThePaymentThatIsBookedTogetherWithIt() {
    // given
    bookedWhileItIsFound();
    scene.append(new Command.Confirm(scene.token("alice")));
    scene.poll();

    // when
    first.complete();

    // then
    assertThat(scene.order("alice").status()).isEqualTo(CONFIRMED);
  }

  @Test
  void shouldCancelAloneWhenTheTransactionThatItJoinedFails() {
    // given
    bookedWhileItIsFound();
    scene.calls.instead.put(
        "apply",
        call -> StoreCalls.batch(call).step().advances() ? Future.failedFuture(AWAY) : null);

    // when
    first.complete();
    boolean booked = scene.isBooked("carol");
    scene.calls.instead.clear();
    scene.advance(Backoff.FIRST);

    // then
    assertThat(scene.order("alice").status()).isEqualTo(CANCELED);
    assertThat(booked).isFalse();
    assertThat(scene.isBooked("carol")).isTrue();
    assertThat(batches())
        .as("the slice is tried again as it is")
        .last()
        .satisfies(batch -> assertThat(batch.commands()).hasSize(1));
  }

  /** One that the ledger cannot store holds up no booking. */
  @Test
  void shouldBookTheLogWhenTheTimeOutIsRefused() {
    // given
    bookedWhileItIsFound();
    failTimeOuts(new UnprocessableException("too long", null));

    // when
    first.complete();

    // then
    assertThat(scene.isBooked("carol")).isTrue();
    assertThat(scene.order("alice").status()).isEqualTo(PENDING);
  }

  /** It would fail the transaction of all partitions of its round, again and again. */
  @Test
  void shouldJoinNoTransactionUntilATimeOutHasSucceededAlone() {
    // given
    bookedWhileItIsFound();
    failTimeOuts(AWAY);
    first.complete();
    scene.advance(Backoff.FIRST);
    scene.calls.of("apply").clear();

    // when
    scene.placed("dora", 1);
    scene.work();
    List<Batch> whileItFails = batches();
    scene.calls.instead.clear();
    scene.work();

    // then
    assertThat(whileItFails)
        .filteredOn(batch -> batch.step().advances())
        .allSatisfy(batch -> assertThat(batch.commands()).hasSize(1));
    assertThat(whileItFails)
        .as("once alone, not in a round before")
        .filteredOn(batch -> !batch.step().advances() && !batch.commands().isEmpty())
        .hasSize(1);
    assertThat(scene.isBooked("dora")).isTrue();
    assertThat(scene.order("alice").status()).isEqualTo(CANCELED);
  }

  @Test
  void shouldCancelAloneWhileNothingIsBooked() {
    // when
    read();

    // then
    assertThat(batches())
        .singleElement()
        .satisfies(batch -> assertThat(batch.step().advances()).isFalse());
    assertThat(scene.order("alice").status()).isEqualTo(CANCELED);
  }

  @Test
  void shouldEndWithTheOwnershipWhenNoTransactionFollows() {
    // given
    bookedWhileItIsFound();

    // when
    Future<Void> stopped = scene.owner.stop();
    boolean before = stopped.isComplete();
    first.complete();

    // then
    assertThat(before).isFalse();
    assertThat(stopped.succeeded()).isTrue();
    assertThat(scene.order("alice").status()).isEqualTo(PENDING);
  }

  /** Bob's order is being booked, and Carol's waits for that, when Alice's is found. */
  private void bookedWhileItIsFound() {
    scene.calls.once(
        "apply",
        call -> first.future().compose(now -> scene.ledger.apply(List.of(StoreCalls.batch(call)))));
    scene.placed("bob", 1);
    scene.poll();
    scene.placed("carol", 1);
    scene.poll();
    read();
  }

  /** Every transaction that cancels an order. */
  private void failTimeOuts(Throwable cause) {
    scene.calls.instead.put(
        "apply",
        call ->
            StoreCalls.commands(call).stream().anyMatch(one -> one instanceof Command.Cancel)
                ? Future.failedFuture(cause)
                : null);
  }

  private void read() {
    page.handle(realPage());
  }

  private Future<Object> realPage() {
    Object[] call = scene.calls.of("due").get(scene.calls.of("due").size() - 1);
    return scene
        .ledger
        .due(OwnerScene.PARTITION, (DuePlace) call[1], (Long) call[2], (Integer) call[3])
        .map(found -> (Object) found);
  }

  private List<Batch> batches() {
    return scene.calls.of("apply").stream().map(StoreCalls::batch).toList();
  }
}
