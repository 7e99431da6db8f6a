package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.BucketRow;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.OwnerRequest;
import io.sluice.ledger.OwnerRequest.RequestKind;
import io.sluice.model.BucketId;
import io.sluice.orderlog.InMemoryEvents;
import io.sluice.orderlog.InMemoryOrderLog;
import io.sluice.stock.InMemoryStock;
import io.sluice.testkit.Ports;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RequestDeskTest {
  private static final int PARTITION = 0;

  private final List<Promise<Optional<BucketRow>>> looks = new ArrayList<>();
  private final List<Long> answered = new ArrayList<>();
  private final Ownership ownership =
      new Ownership(new Fence(PARTITION, 1, 0), new KnownFences(), () -> {});
  private final OwnerContext context =
      OwnerScene.context(
          ownership,
          Ports.partly(Ledger.class, this),
          new InMemoryStock(InstantSource.system(), "redis1"),
          new InMemoryOrderLog(),
          new InMemoryEvents());
  private final Rebuilder rebuilder = new Rebuilder(context, Duration.ofSeconds(2));
  private final RequestDesk unit =
      new RequestDesk(
          context, rebuilder, () -> Future.failedFuture("Expected no question, but got one"));

  @Test
  void shouldLookAtFewBucketsAtATimeWhenThousandsAreToBeLoaded() {
    // when
    load(RequestDesk.LOOKS_WAITING_MAX + 500);
    int atOnce = looks.size();
    answerLooks();

    // then
    assertThat(atOnce).isEqualTo(RequestDesk.LOOKS_MAX);
    assertThat(answered).hasSize(RequestDesk.LOOKS_WAITING_MAX + RequestDesk.LOOKS_MAX);
  }

  @Test
  void shouldTakeUpWhatWasTooManyWhenItIsReadAgain() {
    // given
    int count = RequestDesk.LOOKS_WAITING_MAX + 500;
    load(count);
    answerLooks();

    // when
    load(count);
    answerLooks();

    // then
    assertThat(answered).hasSize(count).contains((long) count);
  }

  @Test
  void shouldNotBeginTwiceWhenItIsBeingServed() {
    // when
    load(1);
    load(1);

    // then
    assertThat(looks).hasSize(1);
  }

  @Test
  void shouldEndAllThatWaitWhenTheFenceIsLost() {
    // given
    load(RequestDesk.LOOKS_WAITING_MAX);
    ownership.lose();

    // when
    answerLooks();

    // then
    assertThat(looks).hasSize(RequestDesk.LOOKS_MAX);
  }

  /** Serves the requests that are still open, as the ledger lists them. */
  private void load(int count) {
    for (long id = 1; id <= count; id++) {
      if (answered.contains(id)) {
        continue;
      }
      BucketId bucket = new BucketId(id, 0);
      unit.serve(new OwnerRequest(id, PARTITION, RequestKind.LOAD, Optional.of(bucket)));
    }
  }

  /** Answers each look with no row: such a bucket needs no load. */
  private void answerLooks() {
    for (int next = 0; next < looks.size(); next++) {
      looks.get(next).tryComplete(Optional.empty());
    }
  }

  Future<Optional<BucketRow>> bucket(BucketId id) {
    Promise<Optional<BucketRow>> look = Promise.promise();
    looks.add(look);
    return look.future();
  }

  Future<Void> answerRequests(Collection<Long> ids, String answer) {
    answered.addAll(ids);
    return Future.succeededFuture();
  }
}
