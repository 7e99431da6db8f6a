package io.sluice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admin.AdminCall.Outcome;
import io.sluice.async.Poll;
import io.sluice.ledger.OwnerRequest.RequestKind;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SaleLedger.NewSale;
import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.SkuLedger.NewSku;
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
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Waiting until Redis shows a change, or owners answer; only pauses between polls move the clock.
 */
class OperationsTest {
  private static final NewSku NEW = new NewSku(7, 1_000, 2, Sku.Mode.FAST, FakeLedger.SETTINGS);
  private static final NewSale NEW_SALE =
      new NewSale("phones-12", "n", false, FakeSales.SALE.terms(), List.of());

  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
  private Duration slowness = Duration.ZERO;
  private final FakeLedger ledger = new FakeLedger();
  private final FakeSales sales = new FakeSales();
  private final FakeStock stock = new FakeStock();
  private final Operations unit =
      new Operations(
          ledger,
          sales,
          new BucketViews(partition -> stock.store()),
          new Poll(
              duration -> {
                now.updateAndGet(instant -> instant.plus(duration).plus(slowness));
                return Future.succeededFuture();
              },
              () -> elapsed().toNanos()),
          now::get);

  private Duration elapsed() {
    return Duration.between(Instant.EPOCH, now.get());
  }

  private void changed(Sku sku) {
    ledger.changeResult = Future.succeededFuture(new SkuLedger.ChangeResult.Done(sku));
  }

  private void put(Sku sku, boolean isNew) {
    ledger.putResult = Future.succeededFuture(new SkuLedger.PutResult.Done(sku, isNew));
  }

  private static void assertDone(Outcome outcome, int status, Sku sku) {
    Outcome.Done done = (Outcome.Done) outcome;
    assertThat(done.status()).isEqualTo(status);
    assertThat(done.tag()).isEqualTo(sku.tag());
    assertThat(done.json().getString("state")).isEqualTo(sku.state().name());
  }

  private static void assertRecorded(Outcome outcome) {
    assertThat(outcome).isEqualTo(new Outcome.No(ChangeProblems.RECORDED));
    assertThat(ChangeProblems.RECORDED.type().word()).isEqualTo("unavailable");
  }

  // ---- SKUs

  @Test
  void shouldAnswerOnlyWhenRedisShowsEveryBucket() {
    // given: Redis shows the second bucket 100 ms later
    ledger.has(FakeLedger.sku(7, 2));
    put(FakeLedger.sku(7, 2), true);
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
    Outcome outcome = unit.put(NEW).result();

    // then
    assertDone(outcome, 201, FakeLedger.sku(7, 2));
    assertThat(((Outcome.Done) outcome).json().getJsonArray("changed")).isEmpty();
    assertThat(elapsed()).isEqualTo(Duration.ofMillis(100));
  }

  private void putOtherTotal(RestockResult... answers) {
    ledger.has(FakeLedger.sku(7, 1));
    ledger.putResult =
        Future.succeededFuture(
            new SkuLedger.PutResult.Done(
                FakeLedger.sku(7, 1),
                false,
                List.of("total_stock"),
                new SkuLedger.PutResult.TotalChange("!total-1-95", -5)));
    List.of(answers).forEach(answer -> ledger.restocks.add(Future.succeededFuture(answer)));
  }

  @Test
  void shouldAnswerAPutOfAnotherTotalOnceTheUnitsAreTaken() {
    // given
    Sku after = FakeLedger.sku(7, 1).withTotal(95);
    putOtherTotal(new RestockResult.Working(), new RestockResult.Done(after));

    // when
    Outcome outcome = unit.put(NEW).result();

    // then
    assertDone(outcome, 200, after);
    assertThat(((Outcome.Done) outcome).json().getLong("total_stock")).isEqualTo(95);
    assertThat(((Outcome.Done) outcome).json().getJsonArray("changed"))
        .containsExactly("total_stock");
    assertThat(elapsed()).isPositive();
  }

  @Test
  void shouldSayThatAnotherTotalIsRecordedWhenOwnersDoNotTakeTheUnitsInTime() {
    // given
    putOtherTotal(new RestockResult.Working());

    // when
    Outcome outcome = unit.put(NEW).result();

    // then
    assertRecorded(outcome);
    assertThat(elapsed()).isEqualTo(Operations.SHOWN_WITHIN);
  }

  @Test
  void shouldRefuseAnotherTotalWhenTheUnitsAreSold() {
    // given
    putOtherTotal(new RestockResult.Refused(3));

    // when
    Outcome outcome = unit.put(NEW).result();

    // then
    var problem = ((Outcome.No) outcome).problem();
    assertThat(problem.type().word()).isEqualTo("setting-fixed");
    assertThat(problem.detail()).contains("units are held or sold").contains("restock");
  }

  @Test
  void shouldSayThatItIsRecordedWhenRedisDoesNotShowItInTime() {
    // given
    changed(FakeLedger.sku(7, 1));
    ledger.version = 2;

    // when
    Outcome outcome = unit.change(7, StateChange.CLOSE, IfMatch.NOTHING).result();

    // then
    assertRecorded(outcome);
    assertThat(ChangeProblems.RECORDED.detail()).contains("it is recorded and will be applied");
    assertThat(elapsed()).isEqualTo(Operations.SHOWN_WITHIN);
  }

  @ParameterizedTest
  @CsvSource({"100, 100", "60000, 10000"})
  void shouldAnswerAnEndWhenRedisGrantsNoMoreOrTheTimeIsOver(long shownMs, long answeredMs) {
    // given: the first bucket is gone from Redis, and the second shows the end later
    ledger.has(FakeLedger.sku(7, 2));
    Sku ending = SkuRules.change(FakeLedger.sku(7, 2), StateChange.END, 1);
    changed(ending);
    ledger.version = 2;
    stock.snapshots =
        bucket ->
            Future.succeededFuture(
                bucket.bucket() == 0
                    ? FakeStock.snapshot(BucketCode.ABSENT, 0, 0, 0)
                    : FakeStock.snapshot(
                        BucketCode.OK, 1, elapsed().toMillis() >= shownMs ? 2 : 1, 0));

    // when
    Outcome outcome = unit.change(7, StateChange.END, IfMatch.NOTHING).result();

    // then
    assertDone(outcome, 202, ending);
    assertThat(elapsed()).isEqualTo(Duration.ofMillis(answeredMs));
  }

  @Test
  void shouldLookAgainWhenRedisDoesNotAnswer() {
    // given
    changed(FakeLedger.sku(7, 1));
    stock.snapshots =
        bucket ->
            stock.looks.get() < 3
                ? Future.failedFuture("the connection is gone")
                : Future.succeededFuture(FakeStock.snapshot(BucketCode.OK, 1, 1, 0));

    // when
    Outcome outcome = unit.change(7, StateChange.OPEN, IfMatch.NOTHING).result();

    // then
    assertDone(outcome, 200, FakeLedger.sku(7, 1));
    assertThat(stock.looks).hasValue(3);
  }

  @Test
  void shouldLookAtEachBucketOnceARoundWhenThereAreMany() {
    // given
    ledger.has(FakeLedger.sku(7, 256));
    put(FakeLedger.sku(7, 256), false);

    // when
    Outcome outcome = unit.put(NEW).result();

    // then
    assertDone(outcome, 200, FakeLedger.sku(7, 256));
    assertThat(stock.looks).hasValue(256);
  }

  private Outcome restocked() {
    return unit.restock(7, new OperatorBodies.Restock("r1", -5), IfMatch.NOTHING).result();
  }

  @Test
  void shouldAskAgainWhenTheOwnersAreWorkingOnARestock() {
    // given
    ledger.restocks.add(Future.succeededFuture(new RestockResult.Working()));
    ledger.restocks.add(Future.succeededFuture(new RestockResult.Working()));
    ledger.restocks.add(Future.succeededFuture(new RestockResult.Done(FakeLedger.sku(7, 1))));

    // when
    Outcome outcome = restocked();

    // then
    assertDone(outcome, 200, FakeLedger.sku(7, 1));
    assertThat(ledger.asked)
        .containsExactly("restock 7 r1 -5", "restock 7 r1 -5", "restock 7 r1 -5");
  }

  @Test
  void shouldSayThatItIsRecordedWhenARestockTakesTooLong() {
    // given
    ledger.restocks.add(Future.succeededFuture(new RestockResult.Working()));

    // when
    Outcome outcome = restocked();

    // then
    assertRecorded(outcome);
    assertThat(elapsed()).isEqualTo(Operations.SHOWN_WITHIN);
  }

  // ---- owners

  @Test
  void shouldAskEachOwnerAndWaitForAllWhenRebuilding() {
    // given
    ledger.has(FakeLedger.sku(7, 2));
    ledger.answers.add(Optional.empty());
    ledger.answers.add(Optional.of("{}"));

    // when
    Outcome outcome = unit.rebuild(7).result();

    // then
    assertDone(outcome, 200, FakeLedger.sku(7, 2));
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
    Outcome outcome = unit.rebuild(7).result();

    // then
    assertRecorded(outcome);
    assertThat(elapsed()).isEqualTo(Operations.REBUILT_WITHIN);
  }

  @Test
  void shouldNotWaitForEverForTheReportOfASilentOwner() {
    // given: no answer within the 30 pauses of a second each, then one
    for (int i = 0; i <= 30; i++) {
      ledger.answers.add(Optional.empty());
    }
    ledger.answers.add(Optional.of("{}"));
    slowness = Duration.ofMillis(950);

    // when
    Map<Integer, Optional<String>> reports = unit.reconcile(2).result();

    // then
    assertThat(reports).isEqualTo(Map.of(0, Optional.empty(), 1, Optional.of("{}")));
    assertThat(elapsed()).isEqualTo(Operations.REPORTED_WITHIN);
  }

  // ---- sales

  private void recordsTheSale() {
    sales.putResult =
        Future.succeededFuture(
            new SaleLedger.PutResult.Done(FakeSales.SALE, true, Map.of(), List.of()));
    sales.changeResult = Future.succeededFuture(new SaleLedger.ChangeResult.Done(FakeSales.SALE));
  }

  @Test
  void shouldLetAllSkusTakeOverBeforeItLooks() {
    // given
    recordsTheSale();
    sales.takeOvers.addFirst(Future.succeededFuture(true));
    sales.takeOvers.addFirst(Future.succeededFuture(true));

    // when
    Outcome.Done done =
        (Outcome.Done) unit.change("phones-12", StateChange.OPEN, IfMatch.NOTHING).result();

    // then
    assertThat(done.status()).isEqualTo(200);
    assertThat(sales.asked)
        .containsExactly(
            "change phones-12 OPEN",
            "takeOver phones-12",
            "takeOver phones-12",
            "takeOver phones-12",
            "skusOf phones-12 0");
  }

  @Test
  void shouldLookAtEachBucketOnceWhenAllAreShown() {
    // given
    recordsTheSale();
    sales.skus = LongStream.rangeClosed(1, 450).mapToObj(FakeSales::sku).toList();

    // when
    Outcome.Done done = (Outcome.Done) unit.put(NEW_SALE).result();

    // then
    assertThat(done.status()).isEqualTo(201);
    assertThat(stock.looks).hasValue(450);
    assertThat(sales.asked).endsWith("skusOf phones-12 200", "skusOf phones-12 400");
  }

  @Test
  void shouldLookAgainOnlyAtSkusThatAreNotShown() {
    // given: the last SKU is loaded 100 ms later
    recordsTheSale();
    sales.skus = LongStream.rangeClosed(1, 201).mapToObj(FakeSales::sku).toList();
    stock.snapshots =
        bucket ->
            Future.succeededFuture(
                FakeStock.snapshot(
                    bucket.skuId() == 201 && now.get().toEpochMilli() < 100
                        ? BucketCode.ABSENT
                        : BucketCode.OK,
                    1,
                    1,
                    0));

    // when
    Outcome.Done done = (Outcome.Done) unit.put(NEW_SALE).result();

    // then
    assertThat(done.json().getBoolean("shown")).isTrue();
    assertThat(elapsed()).isEqualTo(Duration.ofMillis(100));
    assertThat(stock.looks).hasValue(203);
  }

  @Test
  void shouldSayThatASaleIsRecordedWhenRedisDoesNotShowItInTime() {
    // given
    recordsTheSale();
    sales.skus = List.of(FakeSales.sku(1));
    ledger.version = 2;

    // when
    Outcome.Done done = (Outcome.Done) unit.put(NEW_SALE).result();

    // then
    assertThat(done.status()).isEqualTo(202);
    assertThat(elapsed()).isEqualTo(Operations.SHOWN_WITHIN);
  }

  @Test
  void shouldSayThatASaleIsRecordedWhenItCannotGoOn() {
    // given
    recordsTheSale();
    sales.takeOvers.clear();
    sales.takeOvers.add(Future.failedFuture("the database is gone"));

    // when
    Outcome.Done done = (Outcome.Done) unit.put(NEW_SALE).result();

    // then
    assertThat(done.status()).isEqualTo(202);
  }

  @Test
  void shouldNotWaitForTheEndOfASaleButBeginIt() {
    // given
    recordsTheSale();
    sales.takeOvers.addFirst(Future.succeededFuture(true));

    // when
    Outcome.Done done =
        (Outcome.Done) unit.change("phones-12", StateChange.END, IfMatch.NOTHING).result();

    // then
    assertThat(done.status()).isEqualTo(202);
    assertThat(sales.asked)
        .containsExactly("change phones-12 END", "takeOver phones-12", "takeOver phones-12");
  }
}
