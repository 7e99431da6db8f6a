package io.sluice.grant;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.LedgerUnavailableException;
import io.sluice.ledger.Move.Borrow;
import io.sluice.model.BucketId;
import io.sluice.model.Placement.PlacedBucket;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When an event loop asks which owner for units, and for how many. */
class BorrowingTest extends BorrowingScene {
  @BeforeEach
  void wishForOne() {
    begin();
  }

  @Test
  void shouldAskTheBucketWithMostForWhatTheBuyersTakeInASecond() {
    // given
    unit.wished(TARGET, 69);
    time.advance(Duration.ofSeconds(1));
    unit.wished(TARGET, 20);

    // when
    ask(filled(5, 90), filled(6, 8));

    // then
    assertThat(asked.all()).containsExactly(new Borrow(SKU.placed(5), TARGET, SKU.saleNo(), 1, 70));
    assertThat(woken).isEqualTo(1);
  }

  @Test
  void shouldForgetDemandOfEarlierSeconds() {
    // given
    unit.wished(TARGET, 69);
    time.advance(Duration.ofSeconds(2));
    unit.wished(TARGET, 20);

    // when
    ask(filled(5, 90));

    // then
    assertThat(asked.all()).extracting(Borrow::most).containsExactly(20L);
  }

  @Test
  void shouldAskForWhatOneBuyerNeedsAtLeast() {
    // given
    unit.wished(TARGET, 2);

    // when
    unit.ask(SKU, TARGET, 5, List.of(filled(5, 90)));

    // then
    assertThat(asked.all()).containsExactly(new Borrow(SKU.placed(5), TARGET, SKU.saleNo(), 5, 5));
  }

  @Test
  void shouldAskForWhatAllWhoWereRefusedNeed() {
    // given
    unit.missed(TARGET, 40);
    time.advance(Borrowing.ASK_EVERY);
    unit.missed(TARGET, 1);
    unit.missed(TARGET, 2);
    ask(filled(5, 90));
    time.advance(Borrowing.ASK_EVERY);

    // when
    unit.missed(TARGET, 4);
    ask(filled(5, 90));

    // then
    assertThat(asked.all()).extracting(Borrow::need).containsExactly(40L, 4L);
  }

  /** Each of them may give all that it has. */
  @Test
  void shouldAskDifferentBucketsWhenSeveralHaveAboutAsMuch() {
    // given
    Borrowing.FilledBucket[] lenders = {filled(5, 60), filled(1, 50), filled(4, 30), filled(7, 2)};

    // when
    for (int target : new int[] {0, 2, 3, 6}) {
      unit.wished(SKU.placed(target), 1);
      unit.ask(SKU, SKU.placed(target), 1, List.of(lenders));
    }

    // then
    assertThat(asked.sources()).containsExactly(1, 4, 4, 1);
  }

  @Test
  void shouldNotAskTheBucketItself() {
    // when
    ask(filled(3, 1));

    // then
    assertThat(asked.calls).isEmpty();
  }

  @Test
  void shouldAskOnceUntilTheRequestIsLeft() {
    // given
    Promise<Set<BucketId>> left = Promise.promise();
    asked.answer = left.future();
    ask(filled(5, 90));
    time.advance(Duration.ofSeconds(1));

    // when
    ask(filled(5, 90));
    unit.granted(TARGET, 0);
    ask(filled(5, 90));

    // then
    assertThat(asked.all()).hasSize(1);
    assertThat(woken).isZero();
  }

  @Test
  void shouldAskAgainAfterAPauseWhenNothingCame() {
    // given
    ask(filled(5, 90));
    time.advance(Borrowing.ASK_EVERY.minusMillis(1));
    ask(filled(5, 90));
    int within = asked.all().size();

    // when
    time.advanceMs(1);
    ask(filled(5, 90));

    // then
    assertThat(within).isEqualTo(1);
    assertThat(asked.all()).hasSize(2);
  }

  @Test
  void shouldAskAgainAtOnceWhenUnitsHaveComeAndGone() {
    // given
    ask(filled(5, 90));

    // when
    unit.granted(TARGET, 0);
    ask(filled(6, 80));

    // then
    assertThat(asked.sources()).containsExactly(5, 6);
  }

  @Test
  void shouldLeaveTheRequestsOfAllBucketsTogetherWhileOneIsUnderWay() {
    // given
    Promise<Set<BucketId>> left = Promise.promise();
    asked.answer = left.future();
    IntStream.of(0, 1, 2).forEach(target -> unit.wished(SKU.placed(target), 1));
    IntStream.of(0, 1, 2)
        .forEach(target -> unit.ask(SKU, SKU.placed(target), 1, List.of(filled(5, 90))));

    // when
    left.complete(Set.of());

    // then
    assertThat(asked.calls).extracting(List::size).containsExactly(1, 2);
  }

  @Test
  void shouldAvoidABucketForAWhileWhoseOwnerHasNotServedIt() {
    // given
    asked.answer = Future.succeededFuture(Set.of(TARGET.id()));
    ask(filled(5, 90), filled(6, 8));
    asked.answer = Future.succeededFuture(Set.of());

    // when
    askLater(filled(5, 90), filled(6, 8));
    askLater(filled(5, 90));
    time.advance(Borrowing.AVOIDED_FOR);
    askLater(filled(5, 90), filled(6, 8));

    // then
    assertThat(asked.sources()).containsExactly(5, 6, 5, 5);
  }

  @Test
  void shouldAskAgainWhenTheLedgerHasFailed() {
    // given
    asked.answer = Future.failedFuture(new LedgerUnavailableException("away", null));
    ask(filled(5, 90));

    // when
    askLater(filled(5, 90));

    // then
    assertThat(asked.sources()).containsExactly(5, 5);
    assertThat(woken).isZero();
  }

  @Test
  void shouldForgetTheBucketThatIsKnownLongestWhenTooManyAsk() {
    // given
    for (int other = 0; other < Borrowing.BUCKETS_MAX; other++) {
      unit.wished(new PlacedBucket(0, new BucketId(1_000 + other, 0)), 1);
    }

    // when
    ask(filled(5, 90));

    // then
    assertThat(asked.calls).isEmpty();
  }

  @Test
  void shouldRatherAskABucketThatNobodyBuysFrom() {
    // given
    unit.wished(SKU.placed(4), 1);

    // when
    ask(filled(4, 120), filled(5, 40));

    // then
    assertThat(asked.sources()).containsExactly(5);
  }
}
