package io.sluice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.async.Poll;
import io.sluice.ledger.OwnerRequests.RequestKind;
import io.sluice.ledger.SkuLedger.ChangeResult;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.ledger.SkuLedger.PutResult;
import io.sluice.ledger.SkuLedger.RestockResult;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.ledger.rules.SkuRules;
import io.sluice.model.BucketId;
import io.sluice.model.IfMatch;
import io.sluice.model.Sku;
import io.sluice.stock.BucketCode;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Waiting until Redis shows a change; only the pauses between two polls move the clock. */
class SkuOperationsTest {
  private static final NewSku NEW = new NewSku(7, 1_000, 2, Sku.Mode.FAST, FakeLedger.SETTINGS);

  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
  private Duration slowness = Duration.ZERO;
  private final FakeLedger ledger = new FakeLedger();
  private final FakeStock stock = new FakeStock();
  private final SkuOperations unit =
      new SkuOperations(
          ledger,
          partition -> stock.store(),
          new Poll(
              duration -> {
                now.updateAndGet(instant -> instant.plus(duration).plus(slowness));
                return Future.succeededFuture();
              },
              () -> elapsed().toNanos()));

  @Test
  void shouldAnswerOnlyWhenRedisShowsEveryBucket() {
    // given: Redis shows the second bucket 100 ms later
    ledger.has(FakeLedger.sku(7, 2));
    ledger.putResult = Future.succeededFuture(new PutResult.Done(FakeLedger.sku(7, 2), true));
    stock.snapshots =
        bucket ->
            Future.succeededFuture(
                FakeStock.snapshot(
                    bucket.bucket() == 0 || elapsed().toMillis() >= 100
                        ? BucketCode.OK
                        : BucketCode.ABSENT,
                    1,
                    1,
                    0));

    // when
    SkuOutcome outcome = unit.put(NEW).result();

    // then
    assertThat(outcome).isEqualTo(new SkuOutcome.Put(FakeLedger.sku(7, 2), true, List.of()));
    assertThat(elapsed()).isEqualTo(Duration.ofMillis(100));
  }

  @Test
  void shouldSayThatItIsRecordedWhenRedisDoesNotShowItInTime() {
    // given
    ledger.changeResult = Future.succeededFuture(new ChangeResult.Done(FakeLedger.sku(7, 1)));
    ledger.version = 2;

    // when
    SkuOutcome outcome = unit.change(7, StateChange.CLOSE, IfMatch.NOTHING).result();

    // then
    assertThat(problem(outcome)).isEqualTo("unavailable");
    assertThat(((SkuOutcome.No) outcome).problem().detail())
        .contains("it is recorded and will be applied");
    assertThat(elapsed()).isEqualTo(SkuOperations.SHOWN_WITHIN);
  }

  @Test
  void shouldAnswerAnEndOnlyWhenRedisGrantsNoMore() {
    // given: the first bucket is gone from Redis, and the second shows the end 100 ms later
    ledger.has(FakeLedger.sku(7, 2));
    Sku ending = SkuRules.change(FakeLedger.sku(7, 2), StateChange.END, 1);
    ledger.changeResult = Future.succeededFuture(new ChangeResult.Done(ending));
    ledger.version = 2;
    stock.snapshots =
        bucket ->
            Future.succeededFuture(
                bucket.bucket() == 0
                    ? FakeStock.snapshot(BucketCode.ABSENT, 0, 0, 0)
                    : FakeStock.snapshot(BucketCode.OK, 1, elapsed().toMillis() >= 100 ? 2 : 1, 0));

    // when
    SkuOutcome outcome = unit.change(7, StateChange.END, IfMatch.NOTHING).result();

    // then
    assertThat(outcome).isEqualTo(new SkuOutcome.Later(ending));
    assertThat(elapsed()).isEqualTo(Duration.ofMillis(100));
  }

  @Test
  void shouldSayThatAnEndHasBegunWhenRedisDoesNotShowItInTime() {
    // given
    Sku ending = SkuRules.change(FakeLedger.sku(7, 1), StateChange.END, 1);
    ledger.changeResult = Future.succeededFuture(new ChangeResult.Done(ending));
    ledger.version = 2;

    // when
    SkuOutcome outcome = unit.change(7, StateChange.END, IfMatch.NOTHING).result();

    // then
    assertThat(outcome).isEqualTo(new SkuOutcome.Later(ending));
    assertThat(elapsed()).isEqualTo(SkuOperations.SHOWN_WITHIN);
  }

  @Test
  void shouldLookAgainWhenRedisDoesNotAnswer() {
    // given
    ledger.changeResult = Future.succeededFuture(new ChangeResult.Done(FakeLedger.sku(7, 1)));
    stock.snapshots =
        bucket ->
            stock.looks.get() < 3
                ? Future.failedFuture("the connection is gone")
                : Future.succeededFuture(FakeStock.snapshot(BucketCode.OK, 1, 1, 0));

    // when
    SkuOutcome outcome = unit.change(7, StateChange.OPEN, IfMatch.NOTHING).result();

    // then
    assertThat(outcome).isInstanceOf(SkuOutcome.Done.class);
    assertThat(stock.looks).hasValue(3);
  }

  @Test
  void shouldAskAgainWhenTheOwnersAreWorkingOnARestock() {
    // given
    ledger.restocks.add(Future.succeededFuture(new RestockResult.Working()));
    ledger.restocks.add(Future.succeededFuture(new RestockResult.Working()));
    ledger.restocks.add(Future.succeededFuture(new RestockResult.Done(FakeLedger.sku(7, 1))));

    // when
    SkuOutcome outcome = unit.restock(7, "r1", -5, IfMatch.NOTHING).result();

    // then
    assertThat(outcome).isEqualTo(new SkuOutcome.Done(FakeLedger.sku(7, 1)));
    assertThat(ledger.asked)
        .containsExactly("restock 7 r1 -5", "restock 7 r1 -5", "restock 7 r1 -5");
  }

  @Test
  void shouldSayThatItIsRecordedWhenARestockTakesTooLong() {
    // given
    ledger.restocks.add(Future.succeededFuture(new RestockResult.Working()));

    // when
    SkuOutcome outcome = unit.restock(7, "r1", -5, IfMatch.NOTHING).result();

    // then
    assertThat(problem(outcome)).isEqualTo("unavailable");
    assertThat(elapsed()).isEqualTo(SkuOperations.SHOWN_WITHIN);
  }

  @Test
  void shouldAskEachOwnerAndWaitForAllWhenRebuilding() {
    // given
    ledger.has(FakeLedger.sku(7, 2));
    ledger.answers.add(Optional.empty());
    ledger.answers.add(Optional.of("{}"));

    // when
    SkuOutcome outcome = unit.rebuild(7).result();

    // then
    assertThat(outcome).isInstanceOf(SkuOutcome.Done.class);
    assertThat(ledger.asked)
        .containsExactly(
            "request " + RequestKind.REBUILD + " " + new BucketId(7, 0),
            "request " + RequestKind.REBUILD + " " + new BucketId(7, 1),
            "answer 0",
            "answer 0",
            "answer 1");
  }

  @Test
  void shouldSayThatItIsRecordedWhenNoOwnerAnswersARebuild() {
    // given
    ledger.has(FakeLedger.sku(7, 1));
    ledger.answers.add(Optional.empty());
    slowness = Duration.ofMillis(950);

    // when
    SkuOutcome outcome = unit.rebuild(7).result();

    // then
    assertThat(problem(outcome)).isEqualTo("unavailable");
    assertThat(elapsed()).isEqualTo(SkuOperations.REBUILT_WITHIN);
  }

  @Test
  void shouldLookAtEachBucketOnceARoundWhenThereAreMany() {
    // given
    ledger.has(FakeLedger.sku(7, 256));
    ledger.putResult = Future.succeededFuture(new PutResult.Done(FakeLedger.sku(7, 256), false));

    // when
    SkuOutcome outcome = unit.put(NEW).result();

    // then
    assertThat(outcome).isInstanceOf(SkuOutcome.Put.class);
    assertThat(stock.looks).hasValue(256);
  }

  private Duration elapsed() {
    return Duration.between(Instant.EPOCH, now.get());
  }

  private static String problem(SkuOutcome outcome) {
    return ((SkuOutcome.No) outcome).problem().type().word();
  }
}
